/**
 * Where a test can let the process die (`TEST_FAULT_POINT`), named after what has just
 * happened.
 */
export const FAULT_POINTS = [
  'first-account-created',
  'sample-query-saved',
  'first-key-created',
  'first-key-shown',
  'execution-inserted',
  'execution-begun',
  'run-ended',
  'result-renamed',
  'result-committed',
  'result-expired',
  'result-deleted',
  'orphan-deleted',
  'upload-staged',
  'part-stored',
  'table-committed',
  'parts-merged',
  'merge-stored',
  'merge-committed',
  'part-deleted',
  'backup-catalog-copied',
  'backup-blobs-copied',
  'backup-manifest-written',
  'restore-blobs-copied',
  'restore-catalog-copied',
] as const;

/** One of {@link FAULT_POINTS}. */
export type FaultPoint = (typeof FAULT_POINTS)[number];

let armed: FaultPoint | undefined;

/**
 * Lets the process die at a point from now on. Only the program's own setting may choose it,
 * never a request.
 */
export function armFaultPoint(point: FaultPoint | undefined): void {
  armed = point;
}

/** Ends the process without warning, as a crash would, if this point is armed. */
export function faultPoint(point: FaultPoint): void {
  if (point === armed) process.kill(process.pid, 'SIGKILL');
}
