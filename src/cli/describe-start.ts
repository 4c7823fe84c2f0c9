import type { Config } from '../config/config.js';
import type { Prepared } from '../first-start/first-start.js';

/** What to print once the service listens. */
export function describeReady(url: string): string {
  return `Eider listens on ${url} (API pages: ${url}/api/docs)`;
}

/**
 * What to print at the end of a first start: the key that was made, and how to try it. A key that
 * the operator chose is named, never printed.
 */
export function describeFirstStart(
  { account, exampleQueryId }: Prepared,
  key: string | undefined,
  { url, config }: { url: string; config: Pick<Config, 'HEADER_BRANDS' | 'BOOTSTRAP_API_KEY'> },
): string {
  const ready = describeReady(url);
  const about = describeKey(key, config);
  if (!about) return ready;
  const lines = [ready, '', `The account ${account.handle} was created. ${about.sentence}`];
  if (exampleQueryId === undefined) return lines.join('\n');
  // In double quotes, so that a shell puts in the value of a variable.
  const header = `-H "X-${(config.HEADER_BRANDS[0] ?? 'service').toUpperCase()}-API-KEY: ${about.written}"`;
  const query = `${url}/api/v1/query/${exampleQueryId}`;
  return [
    ...lines,
    '',
    'Run a saved query, poll it, and read its result:',
    '',
    `  curl -X POST ${header} ${query}/execute`,
    `  curl ${header} ${url}/api/v1/execution/<execution_id>/status`,
    `  curl ${header} '${query}/results?limit=5'`,
    '',
    `The same as CSV: ${query}/results/csv`,
  ].join('\n');
}

/** Nothing if the key has been shown by an earlier start. */
function describeKey(
  key: string | undefined,
  { BOOTSTRAP_API_KEY }: Pick<Config, 'BOOTSTRAP_API_KEY'>,
): { sentence: string; written: string } | undefined {
  if (key) return { sentence: `Its API key, shown only now: ${key}`, written: key };
  if (!BOOTSTRAP_API_KEY) return undefined;
  return { sentence: 'Its API key is the given BOOTSTRAP_API_KEY.', written: '$BOOTSTRAP_API_KEY' };
}
