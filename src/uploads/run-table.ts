import type { AccountId } from '../catalog/ids.js';
import type { FileReading, RunTable } from '../processes/run/run.js';
import { type LinkedFiles, partitionNames } from '../storage/linked/linked-files.js';
import type { LinkedColumnType } from '../storage/linked/linked-text.js';
import type { NamedType } from '../types/column.js';
import type { TableColumn } from '../types/table-column.js';
import type { Table } from './table.js';

/** A table with these parts, for a run of an account. */
export function toRunTable(table: Table, paths: readonly string[], accountId: AccountId): RunTable {
  const casts = table.columns.filter(({ wideInteger }) => wideInteger !== undefined).map(toTyped);
  return { ...shared(table, accountId), parts: paths, casts };
}

/**
 * A linked table with these files, for a run of an account. It has the columns that it was linked
 * with, whatever the files hold now.
 */
export function toLinkedRunTable(
  table: Table,
  found: LinkedFiles,
  { accountId, open }: { accountId: AccountId; open: FileReading['open'] },
): RunTable {
  const { format, files } = found;
  const inNames = table.source?.partitions ?? partitionNames(found);
  const columns = table.columns.filter(({ name }) => !inNames.includes(name)).map(toLinkedColumn);
  const partitions = table.columns.filter(({ name }) => inNames.includes(name)).map(toTyped);
  const relativePaths = files.map(({ relativePath }) => relativePath);
  return {
    ...shared(table, accountId),
    parts: files.map(({ path }) => path),
    reading: {
      format,
      relativePaths,
      isHive: partitions.length > 0,
      columns,
      partitions,
      text: table.source?.text,
      open,
    },
  };
}

/** A linked table whose files are gone or may not be read, for a run of an account. */
export function toMissingTable(table: Table, accountId: AccountId): RunTable {
  return { ...shared(table, accountId), parts: [], isMissing: true };
}

function shared({ name, namespace, isPrivate, accountId: ownerId }: Table, accountId: AccountId) {
  return { name, namespace, isPrivate, isBareName: ownerId === accountId };
}

function toTyped({ name, type }: TableColumn): NamedType {
  return { name, type };
}

function toLinkedColumn({ name, type, wideInteger }: TableColumn): LinkedColumnType {
  return { name, type, ...(wideInteger && { wideInteger }) };
}
