import { createHash } from 'node:crypto';
import type { Execution } from '../executions/execution.js';
import type { ReadPlan } from '../read-plan/read-plan.js';
import type { Format } from './page-to-sql.js';
import type { ReadCall } from './read-call.decorator.js';

/** Changes with every change of how results are written. */
const FORMAT_VERSION = 1;

/**
 * The `ETag` of an answer: the same as long as the execution, the request and the way in which
 * answers are written stay the same. A sample without a seed is another one each time, and has
 * none.
 */
export function entityTagOf(
  { id, result }: Execution,
  format: Format,
  { origin, query }: Pick<ReadCall, 'origin' | 'query'>,
  { sample }: Pick<ReadPlan<string>, 'sample'>,
): string | undefined {
  if (!result || (sample && sample.seed === undefined)) return undefined;
  const { api_key: _, ...parameters } = query;
  const asked = JSON.stringify([FORMAT_VERSION, id, result.file, format, origin, parameters]);
  return `"${createHash('sha256').update(asked).digest('base64url').slice(0, 22)}"`;
}
