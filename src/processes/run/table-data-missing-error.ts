import { basename } from 'node:path';
import type { RunFailure, RunTable } from './run.js';

/** Files of a table that a statement named are gone. Another attempt would find no more. */
export class TableDataMissingError extends Error {
  readonly failure: RunFailure;

  /**
   * @param file Path of the first part that is missing; absent for linked files, which the operator
   *   may also have closed to the service.
   */
  constructor({ namespace, name }: Pick<RunTable, 'namespace' | 'name'>, file?: string) {
    const table = `${namespace}.${name}`;
    super(file === undefined ? 'linked files cannot be read' : `the part ${basename(file)} of a table is missing`);
    const message =
      file === undefined
        ? `The files that the table ${table} is linked to are missing on the server, or may not be read`
        : `The data of the table ${table} is missing on the server`;
    this.failure = { type: 'FAILED_TYPE_INTERNAL', message };
  }
}
