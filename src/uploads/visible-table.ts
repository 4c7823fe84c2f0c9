import type { FileHandle } from 'node:fs/promises';
import { type LinkedFiles, partitionNames } from '../storage/linked/linked-files.js';
import type { LinkedFormat } from '../storage/linked/linked-format.js';
import type { LinkedColumnType, LinkedText } from '../storage/linked/linked-text.js';
import type { NamedType } from '../types/column.js';
import type { TableColumn } from '../types/table-column.js';
import type { Table } from './table.js';

type OpenFile = (path: string) => Promise<FileHandle | undefined>;

/** A table that a run may open. */
export interface VisibleTable {
  readonly name: string;
  readonly namespace: string;
  /** Absolute paths of its parts, or of the files that it is linked to. */
  readonly parts: readonly string[];
  /** How to read the files of a linked table. */
  readonly reading?: {
    readonly format: LinkedFormat;
    readonly places: readonly string[];
    readonly isHive: boolean;
    readonly columns: readonly LinkedColumnType[];
    readonly partitions: readonly NamedType[];
    readonly text?: LinkedText;
    /** Opens one of the files; nothing if it has gone, or is no longer allowed. */
    readonly open: OpenFile;
  };
  /** Columns whose type Parquet does not keep. */
  readonly casts?: readonly NamedType[];
  /** Whether the bare name finds it, too. */
  readonly isBareName: boolean;
  readonly isPrivate: boolean;
  /** Of a linked table: its files are gone, or may not be read any more. */
  readonly isMissing?: true;
}

/** A table with these parts, for a run of an account. */
export function toVisibleTable(table: Table, paths: readonly string[], accountId: string): VisibleTable {
  const casts = table.columns.filter(({ wideInteger }) => wideInteger !== undefined).map(toTyped);
  return { ...shared(table, accountId), parts: paths, casts };
}

/** A linked table with these files, for a run of an account. It has the columns that it was linked with, whatever the files hold now. */
export function toVisibleLinkedTable(
  table: Table,
  found: LinkedFiles,
  { accountId, open }: { accountId: string; open: OpenFile },
): VisibleTable {
  const { format, files } = found;
  const inNames = table.source?.partitions ?? partitionNames(found);
  const columns = table.columns.filter(({ name }) => !inNames.includes(name)).map(toLinkedColumn);
  const partitions = table.columns.filter(({ name }) => inNames.includes(name)).map(toTyped);
  const places = files.map(({ place }) => place);
  return {
    ...shared(table, accountId),
    parts: files.map(({ path }) => path),
    reading: {
      format,
      places,
      isHive: partitions.length > 0,
      columns,
      partitions,
      text: table.source?.text,
      open,
    },
  };
}

/** A linked table whose files are gone or may not be read, for a run of an account. */
export function toMissingTable(table: Table, accountId: string): VisibleTable {
  return { ...shared(table, accountId), parts: [], isMissing: true };
}

function shared({ name, namespace, isPrivate, accountId: ownerId }: Table, accountId: string) {
  return { name, namespace, isPrivate, isBareName: ownerId === accountId };
}

function toTyped({ name, type }: TableColumn): NamedType {
  return { name, type };
}

function toLinkedColumn({ name, type, wideInteger }: TableColumn): LinkedColumnType {
  return { name, type, ...(wideInteger && { wideInteger }) };
}
