import { parseColumns } from './parse-columns.js';
import { parseCsvNull } from './parse-csv-null.js';
import { parseFilter } from './parse-filter.js';
import { parsePage } from './parse-page.js';
import { parseSample } from './parse-sample.js';
import { parseSortBy } from './parse-sort-by.js';
import { type ReadParameter, SampleCombinationError } from './read-plan.errors.js';
import type { ReadPlan, ReadRequest } from './read-plan.js';

/**
 * Reads the parameters of a results request: grammar, limits, and what cannot be combined. An empty
 * or blank parameter counts as absent.
 * @throws DomainError that names the parameter and, for a text, the offset.
 */
export function parseReadPlan(
  { format, csvNull: nullText, ...texts }: ReadRequest,
  maxPageRows: number,
): ReadPlan<string> {
  const { columns, filters, sortBy, sampleCount, sampleSeed, limit, offset } = withoutEmpty(texts);
  const sample = parseSample(sampleCount, sampleSeed);
  const csvNull = parseCsvNull(nullText);
  if (sample) refuseBesideSample({ offset, limit, filters });
  return {
    projection: columns === undefined ? 'all' : parseColumns(columns),
    ...(filters !== undefined && { filter: parseFilter(filters) }),
    sortKeys: sortBy === undefined ? [] : parseSortBy(sortBy),
    page: sample ? { offset: 0 } : parsePage({ limit, offset, format }, maxPageRows),
    ...(sample && { sample }),
    ...(csvNull !== undefined && { csvNull }),
  };
}

/** A sample is drawn from the whole result, not narrowed (`docs/contract.md`, "Samples"). */
function refuseBesideSample(parameters: Partial<Record<ReadParameter, string | undefined>>): void {
  const names = Object.entries(parameters).flatMap(([name, text]) =>
    text === undefined ? [] : [name as ReadParameter],
  );
  if (names.length > 0) throw new SampleCombinationError(names);
}

type Texts = Omit<ReadRequest, 'format' | 'csvNull'>;

function withoutEmpty(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined && text.trim() !== ''));
}
