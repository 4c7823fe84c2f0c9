import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { StoredResult } from '../executions/execution.js';

/** The file of a stored result. */
export interface ResultFile {
  readonly executionId: string;
  readonly file: string;
  readonly sizeBytes: number;
}

/** Lists the files of all stored results, for a check of the files. */
@Injectable()
export class ResultFilesRepository {
  constructor(private readonly catalog: Catalog) {}

  /** In the order of their executions, in batches. */
  async *list(batchSize = 500): AsyncGenerator<ResultFile> {
    for (let last = ''; ; ) {
      const rows = await this.catalog
        .selectFrom('executions')
        .select(['id', 'result', 'result_file'])
        .where('state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL'])
        .where('id', '>', last)
        .orderBy('id')
        .limit(batchSize)
        .execute();
      for (const { id, result, result_file } of rows) {
        const { fileBytes } = JSON.parse(result ?? '{}') as Partial<StoredResult>;
        yield { executionId: id, file: result_file ?? '', sizeBytes: fileBytes ?? 0 };
      }
      if (rows.length < batchSize) return;
      last = rows.at(-1)?.id ?? '';
    }
  }

  /** Whether an execution still has its result. */
  async isStored(executionId: string): Promise<boolean> {
    const row = await this.catalog
      .selectFrom('executions')
      .select('id')
      .where('id', '=', executionId)
      .where('state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL'])
      .executeTakeFirst();
    return row !== undefined;
  }
}
