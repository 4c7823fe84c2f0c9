/**
 * What can happen at a failpoint: the process dies, an error that nothing expects is thrown, the
 * disk fails, the disk is full, it is full after half of the bytes, or nothing happens for
 * `SLOW_MS`.
 */
export const FAILPOINT_KINDS = ['crash', 'fail', 'eio', 'enospc', 'short', 'slow'] as const;

/** One of {@link FAILPOINT_KINDS}. */
export type FailpointKind = (typeof FAILPOINT_KINDS)[number];

/** A point of the program at which a test can let something go wrong. */
export interface Failpoint {
  readonly kinds: readonly FailpointKind[];
  /** When it is reached, as the end of a sentence. */
  readonly reached: string;
  /** Whether the errors of the disk are those that SQLite makes of them. */
  readonly isCatalog?: boolean;
}

const STEP = ['crash', 'fail', 'slow'] as const;
const READ = [...STEP, 'eio'] as const;
const WRITE = [...READ, 'enospc'] as const;
const BYTES = [...WRITE, 'short'] as const;

/** Between two steps of a feature, where no file is used. */
const step = (reached: string): Failpoint => ({ kinds: STEP, reached });
/** Where files are read, listed or deleted, which needs no space. */
const read = (reached: string): Failpoint => ({ kinds: READ, reached });
/** Where the disk gets a name, or has to keep what it was given. */
const write = (reached: string): Failpoint => ({ kinds: WRITE, reached });
/** Where the service itself writes bytes. */
const bytes = (reached: string): Failpoint => ({ kinds: BYTES, reached });

/** Every failpoint. `docs/reliability.md` lists them; a test compares the two. */
export const FAILPOINTS = {
  'catalog-open': { ...write('before the catalog is opened'), isCatalog: true },
  'catalog-read': { ...read('before rows are read outside a transaction'), isCatalog: true },
  'catalog-write': { ...write('before a statement that writes, or any in a transaction'), isCatalog: true },
  'catalog-commit': { ...write('before a transaction is committed'), isCatalog: true },
  'catalog-committed': {
    ...write('after a transaction, or a write of its own, is committed, before that is reported'),
    isCatalog: true,
  },
  'disk-sync': write('before a file, or the names in a folder, are synced to the disk'),
  'blob-adopt': write('before a finished file is renamed into a store'),
  'blob-adopted': write('after that, before its folder is synced to the disk'),
  'blob-copy': bytes('before a file is copied into a store'),
  'blob-link': write('before a file of an earlier backup is linked'),
  'blob-delete': read('before a file of a store is deleted'),
  'blob-list': read('before the files of a store are listed'),
  'staging-sweep': write('before the staging folder is emptied, when the service starts'),
  'staging-open': write('before the file for an arriving text is made'),
  'staging-write': bytes('before a chunk of an arriving text is written'),
  'staging-delete': read('before a staged file is deleted'),
  'run-folder': write('before the folder of a run is made'),
  'run-folder-delete': read('before the folder of a run is deleted'),
  'part-link': write('before a part of a table is linked into the folder of a run'),
  'result-check': read('before the file of a result is checked'),
  'result-pin': write('before a result is pinned that is streamed'),
  'result-read': read('before a read child is asked for rows'),
  'server-publish': bytes('before the address of the server is written for commands'),
  'server-forget': read('before that address is deleted, when the service stops'),
  'first-account-created': step('the account of a first start is created'),
  'sample-query-saved': step('a sample query is saved'),
  'first-key-created': step('the key of a first start is created'),
  'first-key-write': bytes('before that key is written to its file'),
  'first-key-shown': step('that key is shown'),
  'execution-inserted': step('an execution is in the catalog, but not in the queue'),
  'execution-begun': step('an execution is EXECUTING in the catalog'),
  'run-ended': step('the run of an execution has ended'),
  'result-renamed': step('a result is in its store, but not in the catalog'),
  'result-committed': step('a result is in the catalog'),
  'execution-requeued': step('a running execution is PENDING again, as the service stops'),
  'stop-begun': step('a signal has stopped the service, and nothing is stopped yet'),
  'result-expired': step('an expired result is out of the catalog'),
  'result-deleted': step('the file of an expired result is deleted'),
  'orphan-deleted': step('a file is deleted that no row refers to'),
  'part-deleted': step('a removed part is deleted, but is still in the catalog'),
  'upload-staged': step('the text of an upload is staged'),
  'part-stored': step('the parts of a change are in their store, but not in the catalog'),
  'table-committed': step('a change of a table is in the catalog'),
  'parts-merged': step('a merged part is written'),
  'merge-stored': step('a merged part is in its store, but not in the catalog'),
  'merge-committed': step('a merged part is in the catalog'),
  'backup-catalog-copied': step('the catalog is copied into a backup'),
  'backup-blobs-copied': step('the files are copied into a backup'),
  'backup-manifest-write': bytes('before the manifest of a backup is written'),
  'backup-manifest-written': step('the manifest of a backup is written'),
  'backup-rename': write('before a finished backup gets its name'),
  'file-sum': read('before a file of a backup is read for its sum'),
  'restore-blobs-copied': step('the files of a backup are restored'),
  'restore-catalog-copy': bytes('before the catalog of a backup is copied'),
  'restore-catalog-copied': step('the catalog of a backup is restored'),
} satisfies Record<string, Failpoint>;

/** The name of one of {@link FAILPOINTS}. */
export type FailpointName = keyof typeof FAILPOINTS;
