import { Injectable } from '@nestjs/common';
import { ExecutionsRepository, type ExpiredResult } from './executions.repository.js';

/** What the catalog knows of result files, for those who delete them. */
@Injectable()
export class StoredResultsService {
  constructor(private readonly executions: ExecutionsRepository) {}

  /** Results past their retention, oldest first. */
  listExpired(now: Date, limit: number): Promise<ExpiredResult[]> {
    return this.executions.listExpired(now, limit);
  }

  /** Marks a result as expired, so that nobody begins to read it; its file may go then. */
  expire(executionId: string): Promise<boolean> {
    return this.executions.expire(executionId);
  }

  /** Whether an execution's result is in this file. */
  isResultFile(file: string): Promise<boolean> {
    return this.executions.isResultFile(file);
  }
}
