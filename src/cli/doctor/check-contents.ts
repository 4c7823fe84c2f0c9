import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../../catalog/catalog.js';
import type { Config } from '../../config/config.js';
import { InvalidContentError } from '../../processes/ingest/ingest.errors.js';
import type { Ingest } from '../../processes/ingest/ingest.js';
import { ingestOf } from '../../processes/ingest/open-ingest.js';
import { ResultFilesRepository } from '../../results/result-files.repository.js';
import { openResultStore, openTableStore } from '../../storage/storage.module.js';
import { StoredTablesRepository } from '../../uploads/stored-tables.repository.js';
import { clearProgress, drawProgress } from '../progress-bar.js';
import { countOf, type DoctorOptions, ProblemsError } from './check.js';

/** A stored file, and the number of rows that the catalog has of it. */
interface StoredFile {
  readonly name: string;
  readonly path: string;
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly isStored: () => Promise<boolean>;
}

/** Reads every value of every stored file, by the engine in its own process, and counts rows. */
export async function checkContents(catalog: Catalog, config: Config, { deep }: DoctorOptions): Promise<string> {
  if (!deep) return 'not read: --deep reads every value';
  const folder = await mkdtemp(join(tmpdir(), 'eider-doctor-'));
  const stores = await Promise.all(
    ['results', 'tables'].map((name) => realpath(join(config.DATA_DIR, name)).catch(() => [])),
  );
  const ingest = ingestOf({ ...config, UPLOADERS: 1, LINK_ROOTS: stores.flat() }, folder);
  try {
    const files = await listFiles(catalog, config);
    const problems = await readAll(files, ingest);
    if (problems.length > 0) throw new ProblemsError(problems);
    return `every value of ${countOf(files.length, 'stored file')} can be read`;
  } finally {
    await ingest.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function readAll(files: readonly StoredFile[], ingest: Ingest): Promise<string[]> {
  const problems: string[] = [];
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let readBytes = 0;
  for (const file of files) {
    const problem = await findProblem(file, ingest);
    if (problem !== undefined && (await file.isStored())) problems.push(`${file.name} ${problem}`);
    readBytes += file.sizeBytes;
    drawProgress(readBytes, totalBytes);
  }
  clearProgress();
  return problems;
}

async function listFiles(catalog: Catalog, config: Config): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  const [results, tables] = [new ResultFilesRepository(catalog), new StoredTablesRepository(catalog)];
  const [resultStore, tableStore] = [openResultStore(config), openTableStore(config)];
  for await (const { executionId, file, ...counts } of results.list())
    files.push({
      ...counts,
      name: `results/${file}`,
      path: resultStore.pathOf(file),
      isStored: () => results.isStored(executionId),
    });
  for await (const { blob, sizeBytes, rowCount } of tables.listParts())
    files.push({
      name: `tables/${blob}`,
      path: tableStore.pathOf(blob),
      sizeBytes,
      rowCount,
      isStored: () => tables.hasPart(blob),
    });
  return files;
}

async function findProblem(
  { name, path, rowCount, sizeBytes }: StoredFile,
  ingest: Ingest,
): Promise<string | undefined> {
  try {
    const files = [{ path: await realpath(path), relativePath: name }];
    const found = await ingest.describeFiles({ format: 'parquet', files, isHive: false }, {}, sizeBytes);
    return found.rowCount === rowCount ? undefined : `has ${found.rowCount} rows instead of ${rowCount}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'is missing';
    if (!(error instanceof InvalidContentError)) throw error;
    return `cannot be read (${error.message})`;
  }
}
