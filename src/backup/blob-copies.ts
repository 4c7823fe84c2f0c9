import { access, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findFileIssue } from '../storage/parquet-file.js';
import { forEachAtOnce } from './at-once.js';
import { type BackupFile, type FileProblem, readManifest } from './backup-manifest.js';
import { type BlobStores, type CatalogBlob, openStores } from './catalog-blobs.js';
import { sumOfFile } from './sum-of-file.js';
import { Progress, type WorkOptions } from './work-options.js';

/** A finished backup whose files a new one can share. */
export interface FormerBackup {
  readonly folder: string;
  readonly files: ReadonlyMap<string, BackupFile>;
}

/** Reads what a backup holds; nothing if it cannot be used. */
export async function openFormer(folder: string): Promise<FormerBackup | undefined> {
  const manifest = await readManifest(folder).catch(() => undefined);
  return manifest && { folder, files: new Map(manifest.files.map((file) => [file.path, file])) };
}

/** The blobs in the folder of a backup that is being written. */
export class BlobCopies {
  /** By their paths in the backup. */
  readonly files = new Map<string, BackupFile>();
  readonly problems: FileProblem[] = [];
  copiedFiles = 0;
  copiedBytes = 0;
  private readonly target: BlobStores;

  constructor(
    private readonly source: BlobStores,
    private readonly folder: string,
    private readonly former: FormerBackup | undefined,
  ) {
    this.target = openStores(folder);
  }

  /** Copies blobs that the backup lacks. @returns those that are not in the data folder. */
  async add(blobs: readonly CatalogBlob[], options: WorkOptions): Promise<CatalogBlob[]> {
    const added = blobs.filter((blob) => !this.files.has(this.pathOf(blob)));
    const progress = new Progress(
      added.map(({ sizeBytes }) => sizeBytes),
      options,
    );
    const missing: CatalogBlob[] = [];
    await forEachAtOnce(added, async (blob) => {
      if (!((await this.share(blob)) || (await this.copy(blob)))) missing.push(blob);
      progress.add(blob.sizeBytes);
    });
    return missing;
  }

  /** Removes all other blobs, and waits until these are on the disk. */
  async keepOnly(blobs: readonly CatalogBlob[]): Promise<void> {
    const kept = new Set(blobs.map((blob) => this.pathOf(blob)));
    for (const path of this.files.keys()) {
      if (kept.has(path)) continue;
      const [store, , name] = path.split('/') as ['results' | 'tables', string, string];
      await this.target[store].delete(name);
      this.files.delete(path);
    }
    for (const store of Object.values(this.target)) await store.sync();
  }

  /** Where a blob is in the backup, from its folder on. */
  pathOf({ store, name }: CatalogBlob): string {
    return relative(this.folder, this.target[store].pathOf(name));
  }

  /** A blob never changes: a backup that has it by this name and size has its content. */
  private async share(blob: CatalogBlob): Promise<boolean> {
    const path = this.pathOf(blob);
    const file = this.former?.files.get(path);
    if (!this.former || file?.size_bytes !== blob.sizeBytes) return false;
    const shared = join(this.former.folder, path);
    const found = await stat(shared).catch(() => undefined);
    if (found?.size !== blob.sizeBytes) return false;
    if (!(await this.target[blob.store].adoptLink(shared, blob.name))) return false;
    this.files.set(path, file);
    return true;
  }

  private async copy(blob: CatalogBlob): Promise<boolean> {
    const source = this.source[blob.store].pathOf(blob.name);
    try {
      await this.target[blob.store].adoptCopy(source, blob.name);
    } catch (error) {
      const isThere = await access(source).then(
        () => true,
        (reason: NodeJS.ErrnoException) => reason.code !== 'ENOENT',
      );
      if (isThere) throw error;
      return false;
    }
    await this.note(blob);
    return true;
  }

  private async note(blob: CatalogBlob): Promise<void> {
    const path = this.pathOf(blob);
    const copy = this.target[blob.store].pathOf(blob.name);
    const { sizeBytes, sha256 } = await sumOfFile(copy);
    this.files.set(path, { path, size_bytes: sizeBytes, sha256 });
    this.copiedFiles += 1;
    this.copiedBytes += sizeBytes;
    const problem = await findFileIssue(copy, blob.sizeBytes);
    if (problem !== undefined) this.problems.push({ path, problem });
  }
}
