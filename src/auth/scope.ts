/** What a key may do, each scope including the ones before it. */
export const SCOPES = ['read', 'read_write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a key with the scope `held` may do what needs the scope `needed`. */
export function includesScope(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}
