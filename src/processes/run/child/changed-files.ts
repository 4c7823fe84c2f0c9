import type { LinkedTable } from '../run-messages.js';

/** Says of linked tables, of which it is one, that their files are no longer what they were when they were linked. */
export function changedFilesText(tables: readonly LinkedTable[]): string {
  const names = tables.map(toFullName).join(' or ');
  return `the files of ${names} have changed since they were linked, and the operator must link them again`;
}

/** A table's name as any account can write it. */
export function toFullName({ namespace, name }: LinkedTable): string {
  return `${namespace}.${name}`;
}
