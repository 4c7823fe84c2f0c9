import { basename } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../config/load-config.js';
import { formatSize } from '../config/units.js';
import type { TableUploadedBody } from '../uploads/dto/table-change.body.js';
import { chooseAccount } from './choose-account.js';
import { openInput } from './open-input.js';
import { withServiceClient } from './service-client.js';

interface UploadOptions {
  readonly name?: string;
  readonly account?: string;
  readonly description: string;
  readonly private: boolean;
  readonly json: boolean;
}

const BAR_WIDTH = 30;

/** `table upload`: makes a table of a CSV file. */
export function registerTableUploadCommand(table: Command): void {
  table
    .command('upload')
    .description('make a CSV file a table, in the place of the one of the same name')
    .argument('<file>', 'a CSV file with a header line')
    .option('--name <name>', 'without it, the name of the file')
    .option('--account <handle>', 'whose; may be left out while there is one account')
    .option('--description <text>', 'what it holds', '')
    .option('--private', 'let no other account see it', false)
    .option('--json', 'print JSON', false)
    .action((file: string, options: UploadOptions) => upload(file, options));
}

async function upload(file: string, { account, json, ...options }: UploadOptions): Promise<void> {
  await using input = await openInput(file);
  const { size } = await input.stat();
  const fields = new URLSearchParams({
    table_name: options.name ?? basename(file, '.csv').toLowerCase(),
    description: options.description,
    is_private: String(options.private),
  });
  await withServiceClient(
    loadConfig(),
    ({ accounts }) => chooseAccount(accounts, account),
    async (client) => {
      const data = withProgress(input.createReadStream({ autoClose: false }), size);
      const body = await client.upload<TableUploadedBody>(`/table/upload/csv?${fields}`, data, 'text/csv');
      console.log(json ? JSON.stringify(body) : `Uploaded ${body.rows_written} rows as ${body.full_name}`);
    },
  );
}

/** Draws a bar on the standard error, if that is a terminal, as the data passes. */
async function* withProgress(data: AsyncIterable<Buffer>, totalBytes: number): AsyncGenerator<Buffer> {
  let sentBytes = 0;
  for await (const chunk of data) {
    yield chunk;
    sentBytes += chunk.length;
    drawLine(progressBar(sentBytes, totalBytes));
  }
  drawLine('');
}

/** How much has been sent: `[#####.....] 50 % of 1.2 MB`. */
export function progressBar(sentBytes: number, totalBytes: number): string {
  const share = totalBytes === 0 ? 1 : Math.min(1, sentBytes / totalBytes);
  const filled = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)} % of ${formatSize(totalBytes)}`;
}

function drawLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
