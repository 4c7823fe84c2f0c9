import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { ExecutionId } from '../catalog/ids.js';

/** Reports changes of executions to listeners, after the catalog has them. */
@Injectable()
export class ExecutionEvents {
  private readonly emitter = new EventEmitter({ captureRejections: true }).setMaxListeners(0);

  emitChanged(executionId: ExecutionId): void {
    this.emitter.emit('changed', executionId);
  }

  /** Calls the listener when executions begin, end or are requeued. @returns what removes it. */
  onChanged(listener: (executionId: ExecutionId) => void): () => void {
    this.emitter.on('changed', listener);
    return () => this.emitter.off('changed', listener);
  }
}
