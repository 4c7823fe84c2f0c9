import type { Catalog } from '../../catalog/catalog.js';
import type { Config } from '../../config/config.js';
import { ResultFilesRepository } from '../../results/result-files.repository.js';
import { findFileIssue } from '../../storage/parquet-file.js';
import { openResultStore } from '../../storage/storage.module.js';
import { ProblemsError } from './check.js';

/** Whether every stored result has its file, and no other execution has one. */
export async function checkResults(catalog: Catalog, config: Config): Promise<string> {
  const store = openResultStore(config);
  const results = new ResultFilesRepository(catalog);
  const contradictions = await results.listContradictions();
  const problems = contradictions.map(
    ({ executionId, state }) => `the execution ${executionId} is ${state}, which does not fit its result`,
  );
  const contradicting = new Set(contradictions.map(({ executionId }) => executionId));
  let count = 0;
  for await (const { executionId, file, sizeBytes } of results.list()) {
    if (contradicting.has(executionId)) continue;
    count += 1;
    const problem = await findFileIssue(store.pathOf(file), sizeBytes);
    // A sweep may have taken the result meanwhile.
    if (problem && (await results.isStored(executionId))) problems.push(`the result ${file} ${problem}`);
  }
  if (problems.length > 0) throw new ProblemsError(problems);
  return `${count} stored results are there`;
}
