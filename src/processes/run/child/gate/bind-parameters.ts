import { RefusedStatementError } from './refused-statement-error.js';
import { isSyntaxNode, type SyntaxNode, textOf } from './syntax-tree.js';

/** Values of `$name` placeholders, by name. */
export type ParameterValues = Readonly<Record<string, string>>;

/**
 * Returns the values of the placeholders of a statement in the order in which the engine binds
 * them, without those that it does not use. Names are compared regardless of case; the name of a
 * `?` is its number, from 1.
 *
 * @throws RefusedStatementError for a placeholder without a value.
 */
export function bindParameters(statement: SyntaxNode, values: ParameterValues): string[] {
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  const bound: string[] = [];
  for (const { name, place } of placeholdersOf(statement)) {
    const value = byName.get(name.toLowerCase());
    if (value === undefined)
      throw new RefusedStatementError(`There is no value for the parameter "${name}": give it one`);
    bound[place - 1] = value;
  }
  // `$3` without `$2`: the engine counts places that nothing refers to.
  return Array.from(bound, (value) => value ?? '');
}

function placeholdersOf({ named_param_map }: SyntaxNode): { name: string; place: number }[] {
  const entries = Array.isArray(named_param_map) ? named_param_map.filter(isSyntaxNode) : [];
  return entries.map((entry) => ({ name: textOf(entry, 'key'), place: Number(entry.value) }));
}
