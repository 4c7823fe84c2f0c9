import type { Command } from 'commander';
import { OperatorError } from '../config/operator-error.js';
import { readConfig } from '../config/read-settings.js';
import { findServer } from './running-server.js';

const ANSWER_TIMEOUT_MS = 5_000;

/** `eider health`: checks the health of a container, whose image then requires no HTTP client. */
export function defineHealthCommand(command: Command): void {
  command.action(async () => {
    await requireReady(readConfig().DATA_DIR);
    console.log('ready');
  });
}

async function requireReady(dataDir: string): Promise<void> {
  const url = await findServer(dataDir);
  if (url === undefined) throw new OperatorError(`No service runs on ${dataDir}: start it with eider serve`);
  const response = await askReady(url);
  if (!response.ok) throw new OperatorError(describeFailure(response.status, await response.text()));
}

/** The sentence of the service, or, if the answer is another's, all of it. */
function describeFailure(status: number, text: string): string {
  try {
    const { error, code } = JSON.parse(text) as { error?: unknown; code?: unknown };
    if (code === 'not_ready') return String(error);
  } catch {
    // It is no answer of the service.
  }
  return `The service is not ready: ${status} ${text}`;
}

async function askReady(url: string): Promise<Response> {
  try {
    return await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  } catch {
    throw new OperatorError(
      `The service at ${url} does not answer within ${ANSWER_TIMEOUT_MS / 1000} s: look into its log`,
    );
  }
}
