import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import { failpoint } from '../config/failpoint.js';
import { projectRoot } from '../config/project-root.js';
import type { ParameterType } from '../queries/parameter.js';
import { QueriesService } from '../queries/queries.service.js';
import type { NewQuery } from '../queries/query.js';
import type { LogicalType } from '../types/column.js';
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

/** A page that holds whatever an account has. */
const EVERYTHING = { limit: 1_000_000, offset: 0 };

/** The sample tables and saved queries that come with the service (`data/README.md`). */
@Injectable()
export class SampleData {
  constructor(
    private readonly tables: TablesService,
    private readonly queries: QueriesService,
  ) {}

  /**
   * Gives an account those of the sample tables and queries that it does not have yet.
   *
   * @returns the id of the first query.
   */
  async install(account: Account): Promise<number | undefined> {
    const folder = join(projectRoot(), 'data/sample');
    const manifest = JSON.parse(await readFile(join(folder, 'sample.json'), 'utf8')) as Manifest;
    const installed = new Set((await this.tables.list(account, EVERYTHING)).tables.map(({ name }) => name));
    for (const { name, description, columns, file, row_count: rowCount } of manifest.tables) {
      if (installed.has(name)) continue;
      await this.tables.install(account, { name, description, columns, rowCount, path: join(folder, file) });
    }
    const saved = new Map((await this.queries.list(account, EVERYTHING)).queries.map(({ name, id }) => [name, id]));
    for (const query of manifest.queries) {
      if (saved.has(query.name)) continue;
      saved.set(query.name, (await this.queries.create(account, toNewQuery(query))).id);
      await failpoint('sample-query-saved');
    }
    return saved.get(manifest.queries[0]?.name ?? '');
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
