import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { ExecutionId } from '../catalog/ids.js';
import type { StoredResult } from '../executions/execution.js';

/** The file of a stored result. */
export interface ResultFile {
  readonly executionId: ExecutionId;
  readonly file: string;
  readonly sizeBytes: number;
  readonly rowCount: number;
}

/** Lists the files of all stored results, for a check of the files. */
@Injectable()
export class ResultFilesRepository {
  constructor(private readonly catalog: Catalog) {}

  /** In the order of their executions, in batches. */
  async *list(batchSize = 500): AsyncGenerator<ResultFile> {
    for (let last = '' as ExecutionId; ; ) {
      const rows = await this.catalog
        .selectFrom('executions')
        .select(['id', 'result', 'result_file'])
        .where('state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL'])
        .where('id', '>', last)
        .orderBy('id')
        .limit(batchSize)
        .execute();
      for (const { id, result, result_file } of rows) {
        const { fileBytes, rowCount } = JSON.parse(result ?? '{}') as Partial<StoredResult>;
        yield { executionId: id, file: result_file ?? '', sizeBytes: fileBytes ?? 0, rowCount: rowCount ?? 0 };
      }
      if (rows.length < batchSize) return;
      last = rows.at(-1)?.id ?? last;
    }
  }

  /** Whether an execution still has its result. */
  async isStored(executionId: ExecutionId): Promise<boolean> {
    const row = await this.catalog
      .selectFrom('executions')
      .select('id')
      .where('id', '=', executionId)
      .where('state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL'])
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Executions whose state contradicts their result, or whose stored result has no name. */
  async listContradictions(): Promise<{ executionId: string; state: string }[]> {
    const rows = await this.catalog
      .selectFrom('executions')
      .select(['id', 'state'])
      .where((row) =>
        row.or([
          row.and([
            row('state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL']),
            row.or([row('result_file', 'is', null), row('result', 'is', null), row('result_bytes', 'is', null)]),
          ]),
          row.and([row('state', 'not in', ['COMPLETED', 'COMPLETED_PARTIAL']), row('result_file', 'is not', null)]),
        ]),
      )
      .orderBy('id')
      .execute();
    return rows.map(({ id, state }) => ({ executionId: id, state }));
  }
}
