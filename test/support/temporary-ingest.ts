import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { type Connection, Database, type Row } from '../../src/duckdb/connection/connection.js';
import { identifier, join as joinSql, quoted, raw, sql } from '../../src/duckdb/sql.js';
import { Ingest } from '../../src/processes/ingest/ingest.js';
import type { IngestLimits } from '../../src/processes/ingest/ingest-child.js';
import type { IngestOutcome } from '../../src/processes/ingest/ingest-messages.js';
import type { IngestedPart, StagedFile } from '../../src/processes/ingest/staged-file.js';
import { sweepStaging } from '../../src/processes/ingest/staging.js';
import type { LinkedFiles } from '../../src/storage/linked/linked-files.js';
import type { LinkOptions } from '../../src/storage/linked/linked-text.js';

const LIMITS: IngestLimits = {
  memoryBytes: 512_000_000,
  maxResidentBytes: 1_500_000_000,
  threads: 2,
  maxSpillBytes: 1_000_000_000,
  timeoutMs: 60_000,
};

/** An {@link Ingest} in a temporary folder, and an engine that reads the parts that it writes. */
export class TemporaryIngest {
  private constructor(
    readonly ingest: Ingest,
    readonly folder: string,
    readonly stagingFolder: string,
    private readonly database: Database,
    private readonly connection: Connection,
  ) {}

  static async open(limits: Partial<IngestLimits> = {}, segmentBytes?: number): Promise<TemporaryIngest> {
    const folder = await mkdtemp(join(tmpdir(), 'ingest-'));
    const stagingFolder = join(folder, 'staging');
    await sweepStaging(stagingFolder);
    const ingest = new Ingest({
      stagingFolder,
      readableFolders: [folder],
      processes: 1,
      limits: { ...LIMITS, ...limits },
      ...(segmentBytes !== undefined && { segmentBytes }),
    });
    const database = await Database.open({ threads: '1' });
    const connection = await database.connect();
    await connection.run(raw("SET TimeZone = 'UTC'"));
    return new TemporaryIngest(ingest, folder, stagingFolder, database, connection);
  }

  async close(): Promise<void> {
    await this.ingest.close();
    this.connection.close();
    this.database.close();
    await rm(this.folder, { recursive: true });
  }

  /** A staged file with this content. */
  async stage(content: string | Uint8Array): Promise<StagedFile> {
    const path = join(this.stagingFolder, `${ulid()}.upload`);
    await writeFile(path, content);
    return { path, sizeBytes: (await stat(path)).size };
  }

  /** Describes files whose sizes are known, after which the process does the next job. */
  async describeFiles(found: LinkedFiles, options: LinkOptions = {}): Promise<IngestOutcome> {
    const sizes = await Promise.all(found.files.map(async ({ path }) => (await stat(path)).size));
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
    return this.ingest.describeFiles(found, options, sizeBytes);
  }

  /** The rows of a part, every value as text. */
  async rows({ path, columns }: IngestedPart): Promise<Row[]> {
    const texts = columns.map(({ name }) => sql`CAST(${identifier(name)} AS VARCHAR)`);
    return this.connection.rows(sql`SELECT ${joinSql(texts, ', ')} FROM read_parquet(${quoted(path)})`);
  }

  /** Files that lie in the staging folder, without those of the processes. */
  async leftovers(): Promise<string[]> {
    return (await readdir(this.stagingFolder)).filter((name) => !name.startsWith('child-'));
  }
}
