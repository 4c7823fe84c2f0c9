import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** Tells listeners what happened to executions, after it stands in the catalog. */
@Injectable()
export class ExecutionEvents {
  private readonly emitter = new EventEmitter({ captureRejections: true }).setMaxListeners(0);

  emitChanged(executionId: string): void {
    this.emitter.emit('changed', executionId);
  }

  /** Calls the listener whenever an execution has begun, ended or been given back to the queue; the returned function stops that. */
  onChanged(listener: (executionId: string) => void): () => void {
    this.emitter.on('changed', listener);
    return () => this.emitter.off('changed', listener);
  }
}
