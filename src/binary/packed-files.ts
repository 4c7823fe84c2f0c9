import { getRawAsset } from 'node:sea';
import { zstdDecompressSync } from 'node:zlib';

/** The files that the single executable contains and that the system must read from a folder. */
export interface PackedFiles {
  /** A digest of all paths and contents: other files have another id. */
  readonly id: string;
  /** Each with its path below the folder, such as `dist/program/main.js`. */
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[];
  readonly read: (path: string) => Uint8Array;
}

/** Opens the files that `scripts/build-binary.mjs` has put into this executable. */
export function openPackedFiles(): PackedFiles {
  const { id, files } = JSON.parse(Buffer.from(getRawAsset('files.json')).toString()) as Omit<PackedFiles, 'read'>;
  return { id, files, read: (path) => zstdDecompressSync(Buffer.from(getRawAsset(path))) };
}
