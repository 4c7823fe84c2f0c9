import type { Catalog } from '../../catalog/catalog.js';
import type { Config } from '../../config/config.js';
import { LinkRoots } from '../../storage/linked/link-bounds.js';
import { LinkRefusedError } from '../../storage/linked/linked.errors.js';
import { findLinkedFiles } from '../../storage/linked/linked-files.js';
import { findFileIssue } from '../../storage/parquet-file.js';
import { openTableStore } from '../../storage/storage.module.js';
import { StoredTablesRepository, type TableVersions } from '../../uploads/stored-tables.repository.js';
import { toFullName } from '../../uploads/table.js';
import { ProblemsError } from './check.js';

/** Whether the files of all tables are there, and fit what the catalog has of them. */
export async function checkTables(catalog: Catalog, config: Config): Promise<string> {
  const stored = new StoredTablesRepository(catalog);
  const parts = await checkParts(stored, config);
  const linked = await checkLinked(stored, config);
  const problems = [...parts.problems, ...(await checkVersions(stored)), ...linked.problems];
  if (problems.length > 0) throw new ProblemsError(problems);
  return `${parts.count} parts are there, the files of ${linked.count} linked tables too`;
}

/** What was looked at, and what is wrong with it. */
interface Checked {
  readonly count: number;
  readonly problems: readonly string[];
}

async function checkParts(stored: StoredTablesRepository, config: Config): Promise<Checked> {
  const store = openTableStore(config);
  const problems: string[] = [];
  let count = 0;
  for await (const { table, blob, sizeBytes } of stored.listParts()) {
    count += 1;
    const problem = await findFileIssue(store.pathOf(blob), sizeBytes);
    // A server may have replaced the part meanwhile.
    if (problem && (await stored.hasPart(blob))) problems.push(`the part ${blob} of ${toFullName(table)} ${problem}`);
  }
  return { count, problems };
}

async function checkVersions(stored: StoredTablesRepository): Promise<string[]> {
  const contradictions = (await stored.listVersions()).flatMap((versions) => {
    const problem = findContradiction(versions);
    return problem === undefined ? [] : [`the table ${toFullName(versions.table)} ${problem}`];
  });
  const both = await stored.listBothPartAndRemoved();
  return [...contradictions, ...both.map((blob) => `the part ${blob} is marked as removed from its table`)];
}

/** A merge gives its part an old version: none has to be of the newest. */
function findContradiction({ version, isLinked, partCount, newestPart }: TableVersions): string | undefined {
  if (isLinked) return partCount > 0 ? 'is linked, and has parts of its own' : undefined;
  if (partCount === 0) return 'has no parts';
  return newestPart > version ? `has the version ${version}, and a part of version ${newestPart}` : undefined;
}

async function checkLinked(stored: StoredTablesRepository, config: Config): Promise<Checked> {
  const linked = await stored.listLinked();
  const bounds = await new LinkRoots(config).findBounds();
  const problems: string[] = [];
  for (const { table, source } of linked) {
    try {
      await findLinkedFiles(source.pattern, bounds);
    } catch (error) {
      if (!(error instanceof LinkRefusedError)) throw error;
      problems.push(`the linked table ${toFullName(table)} cannot be read (${error.message})`);
    }
  }
  return { count: linked.length, problems };
}
