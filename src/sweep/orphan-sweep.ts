import { Injectable, type Logger } from '@nestjs/common';
import type { StoreName } from '../catalog/database.js';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import { failpoint } from '../config/failpoint.js';
import type { BlobStore } from '../storage/blob-store.js';
import { OrphansRepository } from './orphans.repository.js';

/** A store to be swept. */
export interface SweptStore {
  readonly name: StoreName;
  readonly blobs: Pick<BlobStore, 'list' | 'delete'>;
  /** Whether the catalog refers to a blob. */
  readonly isKnown: (blob: string) => Promise<boolean>;
}

/** What a sweep found that the catalog does not refer to. */
export interface OrphanReport {
  /** Blobs that were deleted, or would be. */
  readonly deleted: readonly string[];
  /** Blobs that are kept for now. */
  readonly kept: readonly string[];
  /** Those of the kept ones that no sweep had found before. */
  readonly found: readonly string[];
}

/** Names that a line of the log lists; it counts all. */
const MAX_LOGGED_NAMES = 20;

/**
 * Deletes blobs that the catalog does not refer to, `ORPHAN_GRACE` after a sweep has found them.
 * The time counts from then, not from the age of the file: with the backup of an older catalog,
 * even old files are orphans, and stay until the operator has had time to notice.
 */
@Injectable()
export class OrphanSweep {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly orphans: OrphansRepository,
  ) {}

  /** @param writtenBefore Younger blobs are left out: their rows may be committed right now. */
  async sweep(store: SweptStore, writtenBefore: Date, { isDryRun }: { isDryRun: boolean }): Promise<OrphanReport> {
    const foundAt = await this.orphans.list(store.name);
    const orphans = await findOrphans(store, writtenBefore, foundAt);
    const now = this.clock.now();
    const isDue = (blob: string) => (foundAt.get(blob) ?? now).getTime() <= now.getTime() - this.config.ORPHAN_GRACE;
    const deleted = orphans.filter(isDue);
    const kept = orphans.filter((blob) => !isDue(blob));
    const found = kept.filter((blob) => !foundAt.has(blob));
    if (!isDryRun) {
      await this.orphans.note(store.name, found, now);
      for (const blob of deleted) {
        await store.blobs.delete(blob);
        await failpoint('orphan-deleted');
      }
      const isKept = new Set(kept);
      await this.orphans.forget(
        store.name,
        [...foundAt.keys()].filter((blob) => !isKept.has(blob)),
      );
    }
    return { deleted, kept, found };
  }
}

/** Logs, at level warn, which files were deleted and which will be. */
export function logOrphans(logger: Logger, store: StoreName, { deleted, found }: OrphanReport): void {
  const named = (blobs: readonly string[]) => ({
    count: blobs.length,
    files: blobs.slice(0, MAX_LOGGED_NAMES).map((blob) => `${store}/${blob}`),
  });
  if (deleted.length > 0) logger.warn(named(deleted), 'Deleted files that the catalog does not refer to');
  if (found.length > 0)
    logger.warn(
      named(found),
      'Found files that the catalog does not refer to; a sweep deletes them after ORPHAN_GRACE',
    );
}

/**
 * Blobs that the catalog does not refer to, and that were written before an instant.
 *
 * @param listed blobs that count whenever they were written: a sweep has found them before.
 */
export async function findOrphans(
  { blobs, isKnown }: SweptStore,
  writtenBefore: Date,
  listed: { has(blob: string): boolean },
): Promise<string[]> {
  const orphans: string[] = [];
  for await (const { name, modifiedAt } of blobs.list())
    if ((modifiedAt < writtenBefore || listed.has(name)) && !(await isKnown(name))) orphans.push(name);
  return orphans;
}
