import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from './load-config.js';

const MACHINE = { cores: 2, memoryBytes: 24e9 };

function problemsOf(environment: Record<string, string | undefined>, machine = MACHINE): readonly string[] {
  try {
    loadConfig(environment, machine);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('loadConfig', () => {
  it('takes defaults for what is absent or empty', () => {
    const config = loadConfig({ PORT: '', UNKNOWN: 'x' }, MACHINE);
    expect(config).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      HEADER_BRANDS: ['service'],
      MAX_PAGE_ROWS: 30_000,
      RESULT_RETENTION_DAYS: 90,
    });
  });

  it.each([
    { cores: 1, memoryBytes: 8e9, WORKERS: 2 },
    { cores: 2, memoryBytes: 4e9, WORKERS: 1 },
    { cores: 2, memoryBytes: 24e9, WORKERS: 3 },
    { cores: 64, memoryBytes: 512e9, WORKERS: 9 },
  ])('has $WORKERS workers on $cores cores with $memoryBytes bytes, one of them kept for other accounts', (machine) => {
    const { WORKERS, ...expected } = machine;
    expect(loadConfig({}, { ...MACHINE, ...expected }).WORKERS).toBe(WORKERS);
  });

  it('reads numbers, sizes, durations, lists and words', () => {
    const given = {
      PORT: '0',
      MAX_RESULT_BYTES: '2GB',
      EXECUTION_TIMEOUT: '90s',
      HEADER_BRANDS: 'service, acme',
      SAMPLE_DATA: 'false',
    };
    expect(loadConfig(given, MACHINE)).toMatchObject({
      PORT: 0,
      MAX_RESULT_BYTES: 2_000_000_000,
      EXECUTION_TIMEOUT: 90_000,
      HEADER_BRANDS: ['service', 'acme'],
      SAMPLE_DATA: false,
    });
  });

  it('lists every problem at once, and no value', () => {
    const problems = problemsOf({
      PORT: 'secret-port',
      MAX_PAGE_ROWS: '0',
      PUBLIC_URL: 'secret-url',
      BOOTSTRAP_API_KEY: 'short',
      LOG_LEVEL: 'loud',
    });
    expect(problems).toEqual([
      'PORT must be a whole number from 0 to 65535',
      'PUBLIC_URL must be an origin such as https://sql.example.org, without a path',
      'BOOTSTRAP_API_KEY must be 16 to 128 letters, digits, _ or -',
      'MAX_PAGE_ROWS must be a whole number from 1 to 10000000',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    ]);
  });

  it.each([
    { cores: 1, memoryBytes: 2e9 },
    { cores: 2, memoryBytes: 4e9 },
    { cores: 4, memoryBytes: 8e9 },
    { cores: 2, memoryBytes: 24e9 },
    { cores: 64, memoryBytes: 256e9 },
  ])('derives defaults within the memory budget of $cores cores and $memoryBytes bytes', (machine) => {
    expect(problemsOf({}, machine)).toEqual([]);
  });

  it('gives each engine as many threads as there are cores', () => {
    const threads = { WORKER_THREADS: 7, READER_THREADS: 7, UPLOADER_THREADS: 7 };
    expect(loadConfig({}, { cores: 7, memoryBytes: 24e9 })).toMatchObject(threads);
  });

  it('refuses settings that exceed the memory budget, and lists them', () => {
    const [problem, ...others] = problemsOf({ WORKERS: '4', WORKER_MEMORY: '8GB' });
    expect(problem).toMatch(
      /^WORKERS, READERS and UPLOADERS with their memory together can need .* but this machine has 24 GB: lower one of them$/,
    );
    expect(others).toEqual([]);
  });

  it.each([
    { SWEEP_SCHEDULE: '99 * * * *', problem: 'SWEEP_SCHEDULE must be a cron line of five fields' },
    { TRUST_PROXY: 'aaaa', problem: 'TRUST_PROXY must be a comma-separated list, each an address or a network' },
    { TRUST_PROXY: '1.2.3.4/99', problem: 'TRUST_PROXY must be a comma-separated list, each an address or a network' },
    {
      PUBLIC_URL: 'https://x:99999',
      problem: 'PUBLIC_URL must be an origin such as https://sql.example.org, without a path',
    },
    {
      TEST_FAILPOINT: 'blob-adopt=crash,disk-sync=short',
      problem:
        'TEST_FAILPOINT has in its entry 2 a kind that disk-sync does not have: use crash, fail, eio, enospc, slow',
    },
    { CORS_ORIGINS: '*, https://x:99999', problem: 'CORS_ORIGINS must be a comma-separated list, each an origin or *' },
  ])('refuses what looks right and is not: $problem', ({ problem, ...environment }) => {
    expect(problemsOf(environment)).toEqual([problem]);
  });

  it('lists an exceeded memory budget beside other problems', () => {
    expect(problemsOf({ PORT: 'secretx', WORKERS: '200' })).toEqual([
      'PORT must be a whole number from 0 to 65535',
      expect.stringMatching(/^WORKERS, READERS and UPLOADERS with their memory together can need /),
    ]);
  });

  it('computes no budget of memory that is not a number', () => {
    expect(problemsOf({ WORKERS: '200', WORKER_MEMORY: 'much' })).toEqual([
      "WORKER_MEMORY must be a size like '512MB', in bytes of at least 64000000",
    ]);
  });
});
