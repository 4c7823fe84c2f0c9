import { setImmediate } from 'node:timers/promises';
import { nameDistance } from '../config/nearest-names.js';
import { type TableName, toSqlName } from './table.js';

/** A table name as a statement wrote it; a bare one is of the account that runs it. */
export interface WrittenName {
  readonly namespace?: string;
  readonly name: string;
}

const MAX_NAMES = 3;

/** After so many names, other requests are served. */
const NAMES_IN_A_ROW = 500;

/**
 * Finds tables with names like one that no table has, nearest first, as a statement can write them.
 * They can be in another namespace.
 *
 * @param handle of the account that runs the statement: its own tables come first.
 */
export async function findNearTables(
  written: WrittenName,
  visible: readonly TableName[],
  handle: string,
): Promise<string[]> {
  const near: { table: TableName; distance: number }[] = [];
  for (const [index, table] of visible.entries()) {
    if (index % NAMES_IN_A_ROW === NAMES_IN_A_ROW - 1) await setImmediate();
    const distance = distanceTo(table, written, handle);
    if (distance !== undefined) near.push({ table, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance || (toSqlName(a.table) < toSqlName(b.table) ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ table }) =>
      written.namespace === undefined && table.namespace === handle ? table.name : toSqlName(table),
    );
}

/** Nothing for a table that is not near, and for one of this very name, which cannot be read. */
function distanceTo(table: TableName, { namespace = '', name }: WrittenName, handle: string): number | undefined {
  const wanted = namespace === '' ? handle : namespace;
  const most = Math.max(1, Math.floor(name.length / 3));
  if (Math.abs(table.name.length - name.length) > most) return undefined;
  const distance = nameDistance(name, table.name);
  if (distance > most || (distance === 0 && table.namespace === wanted)) return undefined;
  return distance + Math.min(nameDistance(wanted, table.namespace), 3) / 4;
}
