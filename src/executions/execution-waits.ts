import { Injectable } from '@nestjs/common';
import type { ExecutionId } from '../catalog/ids.js';
import { Draining } from '../http/draining.js';
import type { Execution } from './execution.js';
import { ExecutionEvents } from './execution-events.js';
import { isFinished } from './execution-state.js';
import { ExecutionsRepository } from './executions.repository.js';

/**
 * Waits for executions to end, for callers that would otherwise ask for the state again and again.
 */
@Injectable()
export class ExecutionWaits {
  constructor(
    private readonly executions: ExecutionsRepository,
    private readonly events: ExecutionEvents,
    private readonly draining: Draining,
  ) {}

  /**
   * Waits until an execution has ended, the time is up, its client is gone, or the service stops.
   *
   * @param seconds for how long at most; nothing is waited for without it.
   * @returns the execution as it is then.
   */
  async ended(execution: Execution, seconds: number | undefined, gone: AbortSignal): Promise<Execution> {
    if (!seconds || isFinished(execution.state)) return execution;
    await this.#untilEnded(execution.id, seconds * 1000, [gone, this.draining.signal]);
    return (await this.executions.find(execution.id)) ?? execution;
  }

  /** Leaves no listener at the signals: one of them lives as long as the service. */
  async #untilEnded(id: ExecutionId, maxWaitMs: number, signals: readonly AbortSignal[]): Promise<void> {
    if (signals.some(({ aborted }) => aborted)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stopWaiting = () => resolve();
    const look = async () => {
      const execution = await this.executions.find(id);
      if (!execution || isFinished(execution.state)) resolve();
    };
    // Listens before it looks: a change between the two is not missed.
    const stopListening = this.events.onChanged((changed) => {
      if (changed === id) look().catch(reject);
    });
    const timer = setTimeout(stopWaiting, maxWaitMs);
    for (const signal of signals) signal.addEventListener('abort', stopWaiting);
    try {
      await Promise.all([look(), promise]);
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', stopWaiting);
      stopListening();
    }
  }
}
