import type { Config } from '../../config/config.js';
import { ResultFilesRepository } from '../../results/result-files.repository.js';
import { LinkRoots } from '../../storage/linked/link-bounds.js';
import { LinkRefusedError } from '../../storage/linked/linked.errors.js';
import { findLinkedFiles } from '../../storage/linked/linked-files.js';
import { openResultStore, openTableStore } from '../../storage/storage.module.js';
import { StoredTablesRepository } from '../../uploads/stored-tables.repository.js';
import { toFullName } from '../../uploads/table.js';
import type { Check } from './check.js';
import { withCatalog } from './check-catalog.js';
import { findFileProblem, sumUp } from './parquet-file.js';

/** Whether the files are there that the catalog refers to. */
export const STORED_FILE_CHECKS: readonly Check[] = [
  { name: 'tables', run: checkTables },
  { name: 'results', run: checkResults },
];

function checkTables(config: Config): Promise<string> {
  return withCatalog(config, async (catalog) => {
    const stored = new StoredTablesRepository(catalog);
    const parts = await checkParts(stored, config);
    const linked = await checkLinked(stored, config);
    const well = `${parts.count} parts are there, the files of ${linked.count} linked tables too`;
    return sumUp([...parts.problems, ...linked.problems], well);
  });
}

async function checkParts(stored: StoredTablesRepository, config: Config): Promise<Checked> {
  const store = openTableStore(config);
  const problems: string[] = [];
  let count = 0;
  for await (const { table, blob, sizeBytes } of stored.listParts()) {
    count += 1;
    const problem = await findFileProblem(store.pathOf(blob), sizeBytes);
    // A server may have replaced the part meanwhile.
    if (problem && (await stored.hasPart(blob))) problems.push(`the part ${blob} of ${toFullName(table)} ${problem}`);
  }
  return { count, problems };
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

function checkResults(config: Config): Promise<string> {
  return withCatalog(config, async (catalog) => {
    const store = openResultStore(config);
    const results = new ResultFilesRepository(catalog);
    const problems: string[] = [];
    let count = 0;
    for await (const { executionId, file, sizeBytes } of results.list()) {
      count += 1;
      const problem = await findFileProblem(store.pathOf(file), sizeBytes);
      // A sweep may have taken the result meanwhile.
      if (problem && (await results.isStored(executionId))) problems.push(`the result ${file} ${problem}`);
    }
    return sumUp(problems, `${count} stored results are there`);
  });
}

/** What was looked at, and what is wrong with it. */
interface Checked {
  readonly count: number;
  readonly problems: readonly string[];
}
