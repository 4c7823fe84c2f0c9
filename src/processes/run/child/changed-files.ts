import type { ChildTable } from '../run-messages.js';

/** The text for linked tables of which one has changed files. */
export function changedFilesText(tables: readonly ChildTable[]): string {
  const names = tables.map(toFullName).join(' or ');
  return `the files of ${names} have changed since they were linked, and the operator must link them again`;
}

/** A table's name as any account can write it. */
export function toFullName({ namespace, name }: ChildTable): string {
  return `${namespace}.${name}`;
}
