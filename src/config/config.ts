import { availableParallelism } from 'node:os';
import { isHttpUrl, isNetwork, isOrigin } from './addresses.js';
import { isCronLine } from './cron-line.js';
import { findFailpointIssue } from './parse-failpoints.js';
import {
  BooleanSetting,
  ChoiceSetting,
  DurationSetting,
  IntSetting,
  ListSetting,
  OptionalCheckedSetting,
  OptionalIntSetting,
  OptionalTextSetting,
  SizeSetting,
  TextSetting,
} from './setting.decorators.js';

/**
 * Every setting of the program, by its name in the environment. `docs/settings.md` lists them;
 * a test compares the two.
 */
export class Config {
  /** TCP port to listen on; 0 takes a free one. */
  @IntSetting({ min: 0, max: 65_535 })
  PORT = 8080;

  /** Address to listen on. */
  @TextSetting(/^\S+$/, 'an address such as 127.0.0.1 or 0.0.0.0')
  HOST = '127.0.0.1';

  /** Folder of everything that the service keeps: catalog, results, tables. */
  @TextSetting(/./, 'a folder')
  DATA_DIR = 'data';

  /** Free bytes of the disk of `DATA_DIR` below which the service is not ready; 0 for no limit. */
  @SizeSetting({ min: 0 })
  MIN_FREE_DISK = 100_000_000;

  /** Origin that callers see, such as `https://sql.example.org`; without it the request's own is used. */
  @OptionalTextSetting(isOrigin, 'an origin such as https://sql.example.org, without a path')
  PUBLIC_URL?: string;

  /** Addresses or networks of proxies whose forwarded headers count. */
  @ListSetting(isNetwork, 'an address or a network', { allowEmpty: true })
  TRUST_PROXY: string[] = [];

  /**
   * Words in the header names `X-<WORD>-API-KEY`, `X-<WORD>-NEXT-OFFSET` and
   * `X-<WORD>-NEXT-URI`; all are accepted and sent.
   */
  @ListSetting(/^[A-Za-z0-9]+$/, 'a word of letters and digits')
  HEADER_BRANDS: string[] = ['service'];

  /** Origins that browsers may call from; `*` for any. */
  @ListSetting((text) => text === '*' || isOrigin(text), 'an origin or *', { allowEmpty: true })
  CORS_ORIGINS: string[] = [];

  /**
   * Key of scope admin of the first account, for containers and scripts. A changed value replaces
   * the one before, which is revoked; without a value the key stays as it is.
   */
  @OptionalTextSetting(/^[A-Za-z0-9_-]{16,128}$/, '16 to 128 letters, digits, _ or -')
  BOOTSTRAP_API_KEY?: string;

  /** Whether a new data folder gets the sample tables and saved queries. */
  @BooleanSetting()
  SAMPLE_DATA = true;

  /** Most rows on one page. */
  @IntSetting({ min: 1, max: 10_000_000 })
  MAX_PAGE_ROWS = 30_000;

  /** Most text on one page; a page ends early before it passes this. */
  @SizeSetting({ min: 1_000, max: 1_000_000_000 })
  MAX_PAGE_BYTES = 64_000_000;

  /** Connections of clients; a request on one more is answered 503. */
  @IntSetting({ min: 1, max: 1_000_000 })
  MAX_CONNECTIONS = 2_000;

  /**
   * Longest time that a client may take for the headers of a request, or may send no byte of its
   * body; then its connection is ended.
   */
  @DurationSetting({ min: 100 })
  REQUEST_IDLE_TIMEOUT = 60_000;

  /** Longest time that the engine may take for the next bytes of a read. */
  @DurationSetting({ min: 100 })
  READ_TIMEOUT = 300_000;

  /**
   * Longest time that the client of a read may accept no byte of it; then its connection is reset.
   */
  @DurationSetting({ min: 100 })
  READ_IDLE_TIMEOUT = 60_000;

  /** Longest time that a read waits for a free reader; then it is answered 503. */
  @DurationSetting({ min: 100 })
  READ_QUEUE_TIMEOUT = 10_000;

  /** Days that a stored result is kept. */
  @IntSetting({ min: 1, max: 36_500 })
  RESULT_RETENTION_DAYS = 90;

  /** When expired results are swept: a cron line of five fields, in UTC. */
  @TextSetting(isCronLine, 'a cron line of five fields')
  SWEEP_SCHEDULE = '17 * * * *';

  /** Time that a file is kept which the catalog does not refer to, from when a sweep found it. */
  @DurationSetting({ min: 0 })
  ORPHAN_GRACE = 86_400_000;

  /** Largest stored result; a larger one is cut to what fits. */
  @SizeSetting({ min: 10_000 })
  MAX_RESULT_BYTES = 8_000_000_000;

  /** Bytes that the stored results of an account with the plan free may take; 0 for no limit. */
  @SizeSetting({ min: 0 })
  RESULT_STORAGE_FREE = 1_000_000_000;

  /** Bytes that the stored results of an account with the plan plus may take; 0 for no limit. */
  @SizeSetting({ min: 0 })
  RESULT_STORAGE_PLUS = 50_000_000_000;

  /** Bytes that the stored results of an account with the plan premium may take; 0 for no limit. */
  @SizeSetting({ min: 0 })
  RESULT_STORAGE_PREMIUM = 500_000_000_000;

  /** Disk that one execution may use for spilling. */
  @SizeSetting({ min: 0 })
  MAX_SPILL_BYTES = 16_000_000_000;

  /**
   * Which clients get whole results of more than 1 MB compressed: those that accept zstd, or, for
   * slow links, `all` that accept any compression.
   */
  @ChoiceSetting(['zstd', 'all'])
  COMPRESS_DOWNLOADS: 'zstd' | 'all' = 'zstd';

  /** Longest time that one `medium` execution may run. */
  @DurationSetting({ min: 100 })
  EXECUTION_TIMEOUT = 600_000;

  /** Longest time that one `large` execution may run; `EXECUTION_TIMEOUT` if that is longer. */
  @DurationSetting({ min: 100 })
  LARGE_EXECUTION_TIMEOUT = 1_800_000;

  /**
   * Executions that run at the same time, each in a process. From two on, one slot is
   * kept for accounts that run nothing.
   */
  @IntSetting({ min: 1, max: 256 })
  WORKERS = 1;

  /**
   * How many statements of an account one process runs, one after the other, before it is replaced;
   * 1 starts a process for each. A query of another account always gets a process of its own.
   */
  @IntSetting({ min: 1, max: 100_000 })
  RUNS_PER_CHILD = 500;

  /**
   * Memory that the engine of one execution may plan with; its process may reach twice this
   * plus 500 MB.
   */
  @SizeSetting({ min: 64_000_000 })
  WORKER_MEMORY = 512_000_000;

  /** Threads of one execution. */
  @IntSetting({ min: 1, max: 1_024 })
  WORKER_THREADS = availableParallelism();

  /** Processes that read stored results. */
  @IntSetting({ min: 1, max: 64 })
  READERS = 1;

  /** Memory that the engine of one reading process may plan with. */
  @SizeSetting({ min: 64_000_000 })
  READER_MEMORY = 512_000_000;

  /** Threads of one reading process. */
  @IntSetting({ min: 1, max: 1_024 })
  READER_THREADS = availableParallelism();

  /** Processes that make tables of uploads. */
  @IntSetting({ min: 1, max: 64 })
  UPLOADERS = 1;

  /**
   * Memory that the engine of one uploading process may plan with; a table of a thousand
   * columns needs 160 MB, one of 2,000 needs 400 MB.
   */
  @SizeSetting({ min: 64_000_000 })
  UPLOADER_MEMORY = 512_000_000;

  /** Threads of one uploading process. */
  @IntSetting({ min: 1, max: 1_024 })
  UPLOADER_THREADS = availableParallelism();

  /**
   * Uploads and inserts that may be under way, each with its body on the disk; half of them for one
   * account.
   */
  @IntSetting({ min: 1, max: 10_000 })
  MAX_UPLOADS = 32;

  /** Longest time that making a table of an upload may take, once it has arrived. */
  @DurationSetting({ min: 100 })
  UPLOAD_TIMEOUT = 1_800_000;

  /**
   * Folders whose files the operator can link as tables (`eider table link`). What lies in
   * `DATA_DIR`, and a folder that holds it, can never be linked.
   */
  @ListSetting(/^\//, 'an absolute path', { allowEmpty: true })
  LINK_ROOTS: string[] = [];

  /** Executions of one account that may wait; one more is answered 429. */
  @IntSetting({ min: 1 })
  MAX_QUEUED_PER_ACCOUNT = 100;

  /**
   * Executions of all accounts that may wait; an account of which nothing waits may exceed it
   * by one.
   */
  @IntSetting({ min: 0 })
  MAX_QUEUED = 1_000;

  /** Times that an execution is tried whose process or host died. */
  @IntSetting({ min: 1, max: 100 })
  MAX_ATTEMPTS = 3;

  /** Writes and executions that one key may ask for in a minute; 0 for no limit. */
  @IntSetting({ min: 0 })
  WRITES_PER_MINUTE = 0;

  /** Reads that one key may ask for in a minute; 0 for no limit. */
  @IntSetting({ min: 0 })
  READS_PER_MINUTE = 0;

  /** Time that requests and executions in flight get to finish on shutdown. */
  @DurationSetting({ min: 0 })
  SHUTDOWN_GRACE = 10_000;

  /** Least important messages that are logged. */
  @ChoiceSetting(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL = 'info';

  /**
   * TCP port that serves `/metrics` for Prometheus, without a key; without it nothing is
   * measured.
   */
  @OptionalIntSetting({ min: 1, max: 65_535 })
  METRICS_PORT?: number;

  /** Address of `METRICS_PORT`. */
  @TextSetting(/^\S+$/, 'an address such as 127.0.0.1 or 0.0.0.0')
  METRICS_HOST = '127.0.0.1';

  /** Where traces are sent to: an OpenTelemetry collector, by OTLP over HTTP. */
  @OptionalTextSetting(isHttpUrl, 'a URL such as http://127.0.0.1:4318/v1/traces')
  TRACES_URL?: string;

  /** For tests of recovery only: what goes wrong, and where (`docs/reliability.md`). */
  @OptionalCheckedSetting(findFailpointIssue)
  TEST_FAILPOINT?: string;
}
