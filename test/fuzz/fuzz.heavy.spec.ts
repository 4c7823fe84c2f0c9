import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryIngest } from '../support/temporary-ingest.js';
import { type FuzzTarget, fuzz } from './fuzz.js';
import { csvTarget } from './targets/csv.js';
import { JSON_BODY } from './targets/json-body.js';
import { multipartTarget } from './targets/multipart.js';
import { ndjsonTarget } from './targets/ndjson.js';
import { COLUMN_LIST, FILTERS, SORT_BY } from './targets/read-parameters.js';

/**
 * `npm run fuzz` sets a time for each parser and leaves the seed to chance; the test suite does a
 * fixed number of runs.
 */
const { FUZZ_SECONDS, FUZZ_SEED = FUZZ_SECONDS ? Date.now() % 2 ** 32 : 1 } = process.env;
const FAILURES = 'fuzz-failures';

describe('the fuzzer', () => {
  const parser: FuzzTarget = {
    name: 'example',
    runs: 3_000,
    seeds: ['key=value'],
    words: ['"'],
    check(input) {
      if (input.includes('""')) throw new Error('two quotes');
      return input.includes('"') ? 'quote' : 'none';
    },
  };

  it('finds an input about which a parser is wrong, and makes it small', async () => {
    const failure = await fuzz(parser, 1, { runs: parser.runs });
    expect(failure?.input.toString()).toBe('""');
  });

  it('does the same for the same seed', async () => {
    const seen: string[][] = [[], []];
    for (const inputs of seen) {
      const check = (input: Buffer) => String(inputs.push(input.toString()));
      await fuzz({ ...parser, check }, 7, { runs: 100 });
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});

describe('parsers of requests', () => {
  let temporary: TemporaryIngest;

  beforeAll(async () => {
    temporary = await TemporaryIngest.open();
  });

  afterAll(() => temporary.close());

  const TARGETS: Readonly<Record<string, () => FuzzTarget>> = {
    filters: () => FILTERS,
    sort_by: () => SORT_BY,
    columns: () => COLUMN_LIST,
    'json-body': () => JSON_BODY,
    multipart: () => multipartTarget(temporary.stagingFolder, () => temporary.leftovers()),
    csv: () => csvTarget(temporary),
    ndjson: () => ndjsonTarget(temporary),
  };

  it.each(Object.keys(TARGETS))(
    '%s is right about mutated inputs',
    async (name) => {
      const target = (TARGETS[name] as () => FuzzTarget)();
      const limit = FUZZ_SECONDS ? { seconds: Number(FUZZ_SECONDS) } : { runs: target.runs };
      const failure = await fuzz(target, Number(FUZZ_SEED), limit);
      if (!failure) return;
      await mkdir(FAILURES, { recursive: true });
      await writeFile(`${FAILURES}/${name}`, failure.input);
      throw new Error(
        `FUZZ_SEED=${FUZZ_SEED}; input in ${FAILURES}/${name}: ${JSON.stringify(String(failure.input))}`,
        {
          cause: failure.error,
        },
      );
    },
    Number(FUZZ_SECONDS ?? 0) * 1_000 + 60_000,
  );
});
