import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config/read-settings.js';
import type { ExecutionStartedBody, ExecutionStatusBody } from '../executions/execution-status.body.js';
import { chooseAccount } from './choose-account.js';
import { pageRows } from './page-rows.js';
import { ServiceCallError, type ServiceClient, withServiceClient } from './service-client.js';

interface RunOptions {
  readonly format: 'csv' | 'json';
  readonly account?: string;
  readonly param: Readonly<Record<string, string>>;
}

const POLL_INTERVAL_MS = 100;

/** `query run`: runs a saved query and writes its result to the standard output. */
export function defineQueryRunCommand(query: Command): void {
  query
    .command('run')
    .description('run a saved query and write its result')
    .argument('<id>', 'id of the query', parseId)
    .addOption(
      new Option('--format <format>', 'csv, or json: an array of rows').choices(['csv', 'json']).default('csv'),
    )
    .option('--account <handle>', 'who runs it; may be left out while there is one account')
    .addOption(
      new Option('--param <key=value>', 'value of a parameter (repeatable)')
        .argParser(addParameter)
        .default({}, 'none'),
    )
    .action(async (id: number, options: RunOptions) => {
      const choose = ({ accounts }: Parameters<Parameters<typeof withServiceClient>[1]>[0]) =>
        chooseAccount(accounts, options.account);
      await withServiceClient(readConfig(), choose, (client) => run(client, id, options));
    });
}

async function run(client: ServiceClient, queryId: number, { format, param }: RunOptions): Promise<void> {
  const { execution_id: id } = await client.json<ExecutionStartedBody>('POST', `/query/${queryId}/execute`, {
    query_parameters: param,
  });
  await untilCompleted(client, id);
  try {
    if (format === 'csv') await writeCsv(client, id);
    else await writeJson(client, id);
  } catch (error) {
    // The reader of the output may stop early, as `head` does.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

async function untilCompleted(client: ServiceClient, id: string): Promise<void> {
  for (;;) {
    const { state, is_execution_finished, error, progress_percentage } = await client.json<ExecutionStatusBody>(
      'GET',
      `/execution/${id}/status`,
    );
    showProgress(is_execution_finished ? undefined : { state, percentage: progress_percentage });
    if (state.startsWith('QUERY_STATE_COMPLETED')) return;
    if (is_execution_finished) throw new ServiceCallError(error?.message ?? `The execution ended as ${state}`);
    await delay(POLL_INTERVAL_MS);
  }
}

/** A line on the terminal that is written over; nothing where the standard error is no terminal. */
function showProgress(progress: { state: string; percentage: number | undefined } | undefined): void {
  if (!process.stderr.isTTY) return;
  const text = progress
    ? `${progress.state.replace('QUERY_STATE_', '').toLowerCase()} ${Math.round(progress.percentage ?? 0)} %`
    : '';
  process.stderr.write(`\r\u001b[K${text}`);
}

async function writeCsv(client: ServiceClient, id: string): Promise<void> {
  const { body } = await client.call('GET', `/execution/${id}/results/csv?allow_partial_results=true`);
  if (body) await pipeline(Readable.fromWeb(body), process.stdout, { end: false });
}

async function writeJson(client: ServiceClient, id: string): Promise<void> {
  await pipeline(toArrayText(rowsOf(client, id)), process.stdout, { end: false });
}

/** Page by page, so that a large result needs no more memory than a small one. */
async function* rowsOf(client: ServiceClient, id: string): AsyncGenerator<Buffer> {
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page = await client.call('GET', `/execution/${id}/results?allow_partial_results=true&offset=${offset}`);
    offset = page.body ? yield* pageRows(page.body) : undefined;
  }
}

async function* toArrayText(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer | string> {
  let before = '[\n';
  for await (const row of rows) {
    yield before;
    yield row;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function parseId(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a positive whole number.');
  return Number(text);
}

function addParameter(text: string, previous: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must have the form key=value.');
  return { ...previous, [text.slice(0, at)]: text.slice(at + 1) };
}
