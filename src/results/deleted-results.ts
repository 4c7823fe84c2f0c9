import { Injectable } from '@nestjs/common';
import type { Execution } from '../executions/execution.js';
import { ExecutionsService } from '../executions/executions.service.js';

/** Answers reads whose result is deleted between the look at its execution and the opening of its file. */
@Injectable()
export class DeletedResults {
  constructor(private readonly executions: ExecutionsService) {}

  /** Reads from an execution; if that fails because its result is no longer stored, again from the execution as it is now. */
  async readOrExpired<T>(execution: Execution, read: (execution: Execution) => Promise<T>): Promise<T> {
    try {
      return await read(execution);
    } catch (error) {
      const current = execution.result && (await this.executions.findCurrent(execution));
      if (!current || current.result) throw error;
      return await read(current);
    }
  }
}
