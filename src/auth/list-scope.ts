/** Whose things a list shows: the account's own, the public ones of other accounts, or both. */
export const LIST_SCOPES = ['own', 'public', 'all'] as const;
export type ListScope = (typeof LIST_SCOPES)[number];

/** Which queries or tables to list for an account. */
export interface ListFilter {
  readonly scope: ListScope;
  /** Words that all stand in the names and the description, without regard to case. */
  readonly search?: string;
}

/** The filter of a list that names none. */
export const OWN: ListFilter = { scope: 'own' };
