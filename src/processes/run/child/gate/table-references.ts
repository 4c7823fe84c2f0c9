import type { TableReference } from '../../run.js';
import { canBeBareName, canBeNamespace, canBeQualifiedName } from './engine-names.js';
import { RefusedStatementError } from './refused-statement-error.js';
import { isSyntaxNode, locationOf, partsOf, type SyntaxNode, textOf } from './syntax-tree.js';

/** A table that a statement names, and where. */
export interface LocatedReference extends TableReference {
  readonly byteOffset: number | undefined;
}

type Names = ReadonlySet<string>;

/** The common table expressions that can be seen at a place. */
interface Scope {
  readonly ctes: Names;
  /**
   * The recursive ones whose second half contains it: `recurring.t` is the result so far of a
   * recursive t USING KEY.
   */
  readonly recurring: Names;
}

/**
 * Finds all references to tables in a statement, in the order of the text. Names of its own WITH
 * clauses are not tables where they are visible. The name of a replacement scan (`FROM
 * '/etc/passwd'`) is its path.
 *
 * @throws RefusedStatementError for a name that no table can have.
 */
export function tableReferences(statement: SyntaxNode): LocatedReference[] {
  const references: LocatedReference[] = [];
  const open: { part: object; scope: Scope }[] = [
    { part: statement, scope: { ctes: new Set(), recurring: new Set() } },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, scope } = next;
    if (isSyntaxNode(part) && part.type === 'BASE_TABLE') {
      const reference = toReference(part, scope);
      if (reference) references.push(reference);
    }
    const inner = isSyntaxNode(part) && isSyntaxNode(part.cte_map) ? withCtes(part.cte_map, scope) : undefined;
    if (inner) open.push(...inner.definitions);
    const visible = inner?.visible ?? scope;
    for (const child of partsOf(part)) {
      if (inner && child === (part as SyntaxNode).cte_map) continue;
      open.push({ part: child, scope: isRecursion(part, child) ? withRecursion(cteName(part), visible) : visible });
    }
  }
  return references.sort((left, right) => (left.byteOffset ?? 0) - (right.byteOffset ?? 0));
}

/** Each common table expression sees those before it; the query sees all of them. */
function withCtes(
  cteMap: SyntaxNode,
  { ctes, recurring }: Scope,
): { definitions: { part: object; scope: Scope }[]; visible: Scope } {
  const visible = new Set(ctes);
  const definitions: { part: object; scope: Scope }[] = [];
  for (const entry of Array.isArray(cteMap.map) ? cteMap.map.filter(isSyntaxNode) : []) {
    definitions.push({ part: entry, scope: { ctes: new Set(visible), recurring } });
    visible.add(folded(textOf(entry, 'key')));
  }
  return { definitions, visible: { ctes: visible, recurring } };
}

function withRecursion(name: string, { ctes, recurring }: Scope): Scope {
  return { ctes: new Set([...ctes, name]), recurring: new Set([...recurring, name]) };
}

/**
 * A recursive expression is visible in its second half only: in the first one, its name is that of
 * a table.
 */
function isRecursion(part: object, child: object): part is SyntaxNode {
  return isSyntaxNode(part) && part.type === 'RECURSIVE_CTE_NODE' && child === part.right;
}

function cteName(node: SyntaxNode): string {
  return folded(textOf(node, 'cte_name'));
}

/**
 * A name as the engine compares it: it folds ASCII only, while JavaScript folds the Kelvin sign to
 * `k`.
 */
function folded(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function toReference(node: SyntaxNode, { ctes, recurring }: Scope): LocatedReference | undefined {
  const name = folded(textOf(node, 'table_name'));
  const schema = folded(textOf(node, 'schema_name'));
  const catalog = folded(textOf(node, 'catalog_name'));
  if (catalog === '' && (schema === '' ? ctes : schema === 'recurring' ? recurring : undefined)?.has(name))
    return undefined;
  const isInMemory = catalog === '' || catalog === 'memory';
  const isBare = schema === '' || schema === 'main' || (catalog === '' && schema === 'memory');
  const canExist = isBare ? canBeBareName(name) : canBeNamespace(schema) && canBeQualifiedName(name);
  const byteOffset = locationOf(node);
  if (!isInMemory || !canExist) throw unknownTable(writtenName(node), byteOffset);
  return isBare ? { name, byteOffset } : { namespace: schema, name, byteOffset };
}

function writtenName(node: SyntaxNode): string {
  const parts = ['catalog_name', 'schema_name', 'table_name'].map((key) => textOf(node, key));
  return parts.filter((part) => part !== '').join('.');
}

/**
 * The error for a table that does not exist for the account. The message is the same whether it
 * exists for another account.
 *
 * @param nearNames similar names of tables that the account may see.
 */
export function unknownTable(
  name: string,
  byteOffset: number | undefined,
  nearNames: readonly string[] = [],
): RefusedStatementError {
  const hint = nearNames.length === 0 ? '' : `. Did you mean ${nearNames.join(' or ')}?`;
  return new RefusedStatementError(`Table "${name}" does not exist${hint}`, byteOffset);
}
