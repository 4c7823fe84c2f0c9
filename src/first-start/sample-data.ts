import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import { projectRoot } from '../config/project-root.js';
import type { LogicalType } from '../duckdb/column.js';
import type { ParameterType } from '../queries/parameter.js';
import { QueriesService } from '../queries/queries.service.js';
import type { NewQuery } from '../queries/query.js';
import { TablesService } from '../uploads/tables.service.js';

interface SampleTable {
  readonly name: string;
  readonly file: string;
  readonly description: string;
  readonly row_count: number;
  readonly columns: readonly { name: string; type: LogicalType }[];
}

interface SampleQuery {
  readonly name: string;
  readonly description: string;
  readonly sql: string;
  readonly parameters?: readonly {
    key: string;
    type: ParameterType;
    value?: string;
    enumOptions?: string[];
    description?: string;
  }[];
}

interface Manifest {
  readonly tables: readonly SampleTable[];
  readonly queries: readonly SampleQuery[];
}

/** The sample tables and saved queries that come with the service (`data/README.md`). */
@Injectable()
export class SampleData {
  constructor(
    private readonly tables: TablesService,
    private readonly queries: QueriesService,
  ) {}

  /**
   * Gives an account the sample tables and queries.
   *
   * @returns the id of the first query.
   */
  async install(account: Account): Promise<number | undefined> {
    const folder = join(projectRoot(), 'data/sample');
    const manifest = JSON.parse(await readFile(join(folder, 'sample.json'), 'utf8')) as Manifest;
    for (const { name, description, columns, file, row_count: rowCount } of manifest.tables) {
      await this.tables.install(account, { name, description, columns, rowCount, path: join(folder, file) });
    }
    const ids: number[] = [];
    for (const query of manifest.queries) ids.push((await this.queries.create(account, toNewQuery(query))).id);
    return ids[0];
  }
}

function toNewQuery({ name, description, sql, parameters = [] }: SampleQuery): NewQuery {
  return {
    name,
    description,
    sql,
    tags: ['sample'],
    isPrivate: false,
    parameters: parameters.map(({ key, type, value, enumOptions = [], description: meaning }) => ({
      key,
      type,
      defaultValue: value,
      enumOptions,
      description: meaning,
    })),
  };
}
