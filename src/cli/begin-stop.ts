import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ExecutionRunner } from '../executions/execution-runner.js';
import { Draining } from '../http/draining.js';
import { logLine } from './log-line.js';

/**
 * Lets a service drain.
 *
 * @returns what reports the end, with what was in flight, to be called once it has stopped.
 */
export function beginStop(app: NestFastifyApplication, signal: NodeJS.Signals): () => void {
  const begunAt = performance.now();
  const requests = app.get(Draining).requestsInFlight;
  const executions = app.get(ExecutionRunner).countRunning();
  app.get(Draining).begin();
  return () => {
    const elapsed_ms = Math.round(performance.now() - begunAt);
    const message = `Eider has stopped on ${signal}`;
    if (process.stdout.isTTY) console.log(message);
    else logLine(message, { signal, elapsed_ms, requests_in_flight: requests, executions_in_flight: executions });
  };
}
