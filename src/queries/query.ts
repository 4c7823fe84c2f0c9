import type { AccountId, QueryId } from '../catalog/ids.js';
import type { Parameter } from './parameter.js';

/** A saved query, in its current version. */
export interface Query {
  readonly id: QueryId;
  readonly accountId: AccountId;
  /** Handle of the account. */
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** From 1; one more with each new text or list of parameters. */
  readonly version: number;
  readonly sql: string;
  /** As declared; the text can have further ones (`parametersOf`). */
  readonly parameters: readonly Parameter[];
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What the author of a new query decides. */
export type NewQuery = Pick<Query, 'name' | 'sql' | 'description' | 'tags' | 'parameters' | 'isPrivate'>;

/** What can be altered; an absent field stays as it is. */
export type QueryChanges = Partial<NewQuery & Pick<Query, 'isArchived'>>;

/** The query with changes made at `at`. Another text or other parameters make a new version. */
export function changeQuery(query: Query, changes: QueryChanges, at: Date): Query {
  const changed = { ...query, ...changes, updatedAt: at };
  const isSameText = textOf(changed) === textOf(query);
  return { ...changed, version: isSameText ? query.version : query.version + 1 };
}

function textOf({ sql, parameters }: Query): string {
  return JSON.stringify([sql, parameters]);
}
