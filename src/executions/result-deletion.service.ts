import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import type { ExecutionId } from '../catalog/ids.js';
import { ResultStore } from '../storage/storage.module.js';
import { ExecutionAccess } from './execution-access.js';
import { ExecutionEvents } from './execution-events.js';
import { type ExecutionState, isFinished } from './execution-state.js';
import { ExecutionNotAllowedError, ExecutionNotFinishedError } from './executions.errors.js';
import { ExecutionsRepository } from './executions.repository.js';

/** What deleting a result has done. */
export interface DeletedResult {
  readonly executionId: ExecutionId;
  readonly state: ExecutionState;
  /** Bytes that no longer count towards the account's plan; 0 if there was no stored result. */
  readonly freedBytes: number;
}

/** Deletes stored results before they expire, for the account that ran them. */
@Injectable()
export class ResultDeletionService {
  constructor(
    private readonly access: ExecutionAccess,
    private readonly executions: ExecutionsRepository,
    private readonly results: ResultStore,
    private readonly events: ExecutionEvents,
  ) {}

  /**
   * Deletes the result of an execution, which becomes EXPIRED. A CSV stream under way has its file
   * pinned and ends whole; a page that has not opened the file is answered as expired.
   *
   * @throws ExecutionNotFoundError
   * @throws ExecutionNotAllowedError if another account ran it.
   * @throws ExecutionNotFinishedError
   */
  async delete(id: ExecutionId, account: Account): Promise<DeletedResult> {
    const { id: executionId, accountId, state } = await this.access.getReadable(id, account);
    if (accountId !== account.id) throw new ExecutionNotAllowedError('delete');
    if (!isFinished(state)) throw new ExecutionNotFinishedError();
    const result = (await this.executions.find(executionId))?.result;
    if (!result) return { executionId, state, freedBytes: 0 };
    // The row first: a row without a file cannot be.
    const isExpired = await this.executions.expire(executionId);
    if (isExpired) {
      await this.results.delete(result.file);
      this.events.emitChanged(executionId);
    }
    return { executionId, state: 'EXPIRED', freedBytes: isExpired ? result.fileBytes : 0 };
  }
}
