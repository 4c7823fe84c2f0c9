import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Connection, Database, type Row } from '../../src/duckdb/connection/connection.js';
import { identifier, raw, sql } from '../../src/duckdb/sql.js';
import type { IngestOutcome } from '../../src/processes/ingest/ingest-messages.js';
import { LinkedTexts } from '../../src/processes/run/child/linked-texts.js';
import { rowsToSql } from '../../src/processes/run/child/rows-to-sql.js';
import type { ChildTable } from '../../src/processes/run/run-messages.js';
import { findLinkedFiles, type LinkedFiles, partitionNames } from '../../src/storage/linked/linked-files.js';
import { KnownScans, type LinkOptions, toStamp } from '../../src/storage/linked/linked-text.js';
import { toWireTypeName } from '../../src/types/wire-type-name.js';
import { TemporaryIngest } from './temporary-ingest.js';

/** Columns and rows, every value as text. */
export interface ReadTable {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** Files that are described as a link does it, and read as a run does it. */
export class LinkedTextFolder {
  private constructor(
    readonly ingest: TemporaryIngest,
    private readonly database: Database,
    private readonly connection: Connection,
  ) {}

  static async open(): Promise<LinkedTextFolder> {
    const database = await Database.open({ threads: '2' });
    const connection = await database.connect();
    await connection.run(raw("SET TimeZone = 'UTC'"));
    return new LinkedTextFolder(await TemporaryIngest.open(), database, connection);
  }

  async close(): Promise<void> {
    this.connection.close();
    this.database.close();
    await this.ingest.close();
  }

  pathOf(place: string): string {
    return join(this.ingest.folder, 'linked', place);
  }

  async write(place: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.pathOf(place)), { recursive: true });
    await writeFile(this.pathOf(place), content);
  }

  async describe(place: string, options: LinkOptions = {}): Promise<IngestOutcome> {
    return this.ingest.describeFiles(await this.#find(place), options);
  }

  /** What an upload of a CSV text holds. */
  async upload(content: string | Uint8Array): Promise<ReadTable> {
    const part = await this.ingest.ingest.inferCsv(await this.ingest.stage(content));
    return { columns: part.columns.map(toText), rows: await this.ingest.rows(part) };
  }

  /** Describes files, then reads them. */
  async link(place: string, options: LinkOptions = {}): Promise<ReadTable> {
    return this.read(place, await this.describe(place, options));
  }

  /**
   * Reads files that were described before.
   *
   * @param isKnown whether it is known from the link how the files are to be read.
   */
  async read(place: string, described: IngestOutcome, isKnown = true, rest = ''): Promise<ReadTable> {
    const { tables } = await LinkedTexts.prepare([await this.tableOf(place, described, isKnown)], 1e9);
    const texts = described.columns.map(({ name }) => sql`CAST(${identifier(name)} AS VARCHAR)`);
    const [table] = tables;
    if (!table) throw new Error('There is no table');
    const rows = await this.connection.rows(sql`SELECT ${texts} FROM (${rowsToSql(table)}) ${raw(rest)}`);
    // In a run, they go with its folder.
    for (const file of table.files) if (file.endsWith('.plain.csv')) await rm(file);
    return { columns: described.columns.map(toText), rows };
  }

  /** What the engine plans to do. */
  async explain(place: string, described: IngestOutcome, rest: string): Promise<string> {
    const { tables } = await LinkedTexts.prepare([await this.tableOf(place, described)], 1e9);
    const rows = tables.map(rowsToSql);
    const plan = await this.connection.rows(sql`EXPLAIN SELECT * FROM (${rows}) ${raw(rest)}`);
    return String(plan.flat().at(-1));
  }

  /** A table as a run finds it. */
  async tableOf(place: string, { columns, text }: IngestOutcome, isKnown = true): Promise<ChildTable> {
    const found = await this.#find(place);
    const files = found.files.map(({ path }) => path);
    const scans = new KnownScans(text ?? { givenColumns: [], forms: [], files: [] });
    const stamps = await Promise.all(files.map(async (file) => toStamp(await stat(file, { bigint: true }))));
    const known = files.map((path, index) => {
      const stamp = stamps[index] ?? { sizeBytes: 0, modifiedNs: '' };
      const scan = isKnown ? scans.find(path, stamp) : undefined;
      return scan ? { scan, stamp } : null;
    });
    const inNames = partitionNames(found);
    const reading = {
      format: found.format,
      isHive: found.isHive,
      columns: columns.filter(({ name }) => !inNames.includes(name)),
      partitions: columns.filter(({ name }) => inNames.includes(name)),
      ...(text && { text }),
    };
    return { namespace: 'ada', name: 't', isBareName: true, files, reading, scans: known };
  }

  #find(place: string): Promise<LinkedFiles> {
    return findLinkedFiles(this.pathOf(place), { roots: [this.pathOf('.')], dataFolders: [] });
  }
}

function toText({ name, type }: IngestOutcome['columns'][number]): string {
  return `${name} ${toWireTypeName(type)}`;
}
