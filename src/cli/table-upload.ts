import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config/read-settings.js';
import type { TableUploadedBody } from '../uploads/dto/table-change.body.js';
import { chooseAccount } from './choose-account.js';
import { openInput } from './open-input.js';
import { clearProgress, drawProgress } from './progress-bar.js';
import { ServiceCallError, withServiceClient } from './service-client.js';

interface UploadOptions {
  readonly name?: string;
  readonly account?: string;
  readonly description: string;
  readonly private: boolean;
  readonly delimiter?: string;
  readonly normalizeNames: boolean;
  readonly json: boolean;
}

const GZIP_MAGIC = Buffer.of(0x1f, 0x8b);

/** `table upload`: makes a table of a CSV file. */
export function defineTableUploadCommand(table: Command): void {
  table
    .command('upload')
    .description('make a CSV file a table, in the place of the one of the same name')
    .argument('<file>', 'a CSV file with a header line, which may be compressed by gzip')
    .option('--name <name>', 'without it, the name of the file')
    .option('--delimiter <character>', 'between values: ; or tab, for instance; without it, it is found from the file')
    .option('--normalize-names', 'give columns that have no proper name another one', false)
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
    table_name: options.name ?? toTableName(file),
    description: options.description,
    is_private: String(options.private),
    ...(options.delimiter !== undefined && { delimiter: options.delimiter }),
    ...(options.normalizeNames && { column_names: 'normalize' }),
  });
  const headers = { 'content-type': 'text/csv', ...((await isGzip(input)) && { 'content-encoding': 'gzip' }) };
  await withServiceClient(
    readConfig(),
    ({ accounts }) => chooseAccount(accounts, account),
    async (client) => {
      const data = withProgress(input.createReadStream({ autoClose: false, start: 0 }), size);
      const path = `/table/upload/csv?${fields}`;
      const body = await client.upload<TableUploadedBody>(path, data, headers).catch(nameOptions);
      console.log(json ? JSON.stringify(body) : describeUpload(body));
    },
  );
}

/** The name of a table for a file: `prices` for `Prices.csv.gz`. */
export function toTableName(file: string): string {
  return basename(file)
    .toLowerCase()
    .replace(/\.gz$/, '')
    .replace(/\.(csv|tsv|txt)$/, '');
}

async function isGzip(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP_MAGIC.length), 0, GZIP_MAGIC.length, 0);
  return buffer.subarray(0, bytesRead).equals(GZIP_MAGIC);
}

/** Replaces the parameters that an error message names by the options of the command. */
function nameOptions(error: unknown): never {
  if (!(error instanceof ServiceCallError)) throw error;
  throw new ServiceCallError(
    error.message.replace('column_names=normalize', '--normalize-names').replace('delimiter=', '--delimiter'),
  );
}

function describeUpload({ rows_written, full_name, renamed_columns = [] }: TableUploadedBody): string {
  const renamed = renamed_columns.map(({ from, to, column }) => `Column ${column}, '${from}', is named '${to}'`);
  return [...renamed, `Uploaded ${rows_written} rows as ${full_name}`].join('\n');
}

/** Draws a bar on the standard error, if that is a terminal, as the data passes. */
async function* withProgress(data: AsyncIterable<Buffer>, totalBytes: number): AsyncGenerator<Buffer> {
  let sentBytes = 0;
  for await (const chunk of data) {
    yield chunk;
    sentBytes += chunk.length;
    drawProgress(sentBytes, totalBytes);
  }
  clearProgress();
}
