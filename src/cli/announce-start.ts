import type { Config } from '../config/config.js';
import { readMachine } from '../config/machine.js';
import { memoryBudgetBytes } from '../config/memory-budget.js';
import { readVersion } from '../config/version.js';
import { FIRST_KEY_FILE, writeFirstKey } from '../first-start/first-key-file.js';
import type { Prepared } from '../first-start/first-start.js';
import { describeFirstStart, describeReady } from './describe-start.js';
import { logLine } from './log-line.js';

/** A service that listens. */
export interface Started {
  readonly url: string;
  readonly config: Config;
}

/**
 * Reports on the standard output where the service listens: to people on a terminal, as a line of
 * the log with what it may use elsewhere.
 */
export function announceReady({ url, config }: Started): void {
  if (process.stdout.isTTY) console.log(describeReady(url));
  else logLine(describeReady(url), { version: readVersion(), url, ...sizesOf(config) });
}

function sizesOf(config: Config): object {
  return {
    workers: config.WORKERS,
    readers: config.READERS,
    uploaders: config.UPLOADERS,
    memory_budget_bytes: memoryBudgetBytes(config, readMachine()),
  };
}

/**
 * Shows the key of a first start, if one was made. On a terminal it is printed; elsewhere the
 * output can end in a log that others read, so that the key goes to a file in the data folder,
 * which a line of the log names.
 */
export async function announceFirstStart(
  prepared: Prepared,
  key: string | undefined,
  { url, config }: Started,
): Promise<void> {
  if (process.stdout.isTTY) return console.log(describeFirstStart(prepared, key, { url, config }));
  const account = prepared.account.handle;
  if (key !== undefined) {
    await writeFirstKey(config.DATA_DIR, key);
    const message = `The account ${account} was created. Its API key is in the file ${FIRST_KEY_FILE} in DATA_DIR`;
    logLine(message, { account, key_file: FIRST_KEY_FILE });
  } else if (config.BOOTSTRAP_API_KEY) {
    logLine(`The account ${account} was created. Its API key is the given BOOTSTRAP_API_KEY`, { account });
  }
  announceReady({ url, config });
}
