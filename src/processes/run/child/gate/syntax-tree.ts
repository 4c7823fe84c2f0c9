/** A node of the engine's own syntax tree, as `json_serialize_sql` gives it. */
export interface SyntaxNode {
  readonly [key: string]: unknown;
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects and lists directly inside an object or a list. */
export function partsOf(value: object): object[] {
  return Object.values(value).filter((part): part is object => typeof part === 'object' && part !== null);
}

/** Property as text, or the empty string if it is absent: the tree leaves out what is empty. */
export function textOf(node: SyntaxNode, key: string): string {
  const value = node[key];
  return typeof value === 'string' ? value : '';
}

/** Offset of a node in bytes, if the tree has it. */
export function locationOf(node: SyntaxNode): number | undefined {
  const location = node.query_location;
  return typeof location === 'number' ? location : undefined;
}

/** Whether two trees mean the same, wherever in their texts they stand. */
export function isSameTree(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [a, b] = pair;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      if (!Object.is(a, b)) return false;
      continue;
    }
    const keys = meaningfulKeys(a);
    if (Array.isArray(a) !== Array.isArray(b) || keys.length !== meaningfulKeys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pairs.push([(a as SyntaxNode)[key], (b as SyntaxNode)[key]]);
    }
  }
  return true;
}

function meaningfulKeys(value: object): string[] {
  return Object.keys(value).filter((key) => key !== 'query_location');
}
