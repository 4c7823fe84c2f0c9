/**
 * Classes of expressions that a statement may contain. The list is closed: new ones of a later
 * engine are rejected until they are reviewed.
 */
export const EXPRESSION_CLASSES: ReadonlySet<string> = new Set([
  'BETWEEN',
  'CASE',
  'CAST',
  'COLLATE',
  'COLUMN_REF',
  'COMPARISON',
  'CONJUNCTION',
  'CONSTANT',
  'FUNCTION',
  'LAMBDA',
  'LAMBDA_REF',
  'OPERATOR',
  'PARAMETER',
  'POSITIONAL_REFERENCE',
  'STAR',
  'SUBQUERY',
  'TYPE',
  'WINDOW',
]);

/** Types of other nodes: queries, entries of FROM, modifiers, orders and types. Closed as well. */
export const NODE_TYPES: ReadonlySet<string> = new Set([
  'SELECT_NODE',
  'SET_OPERATION_NODE',
  'RECURSIVE_CTE_NODE',
  'CTE_NODE',
  'BASE_TABLE',
  'SUBQUERY',
  'JOIN',
  'TABLE_FUNCTION',
  'EXPRESSION_LIST',
  'EMPTY',
  'PIVOT',
  'SHOW_REF',
  'LIMIT_MODIFIER',
  'LIMIT_PERCENT_MODIFIER',
  'ORDER_MODIFIER',
  'DISTINCT_MODIFIER',
  'ORDER_DEFAULT',
  'ASCENDING',
  'DESCENDING',
  'GENERIC_TYPE_INFO',
  'ANY_TYPE_INFO',
  'INTEGER_LITERAL_TYPE_INFO',
  'STRING_TYPE_INFO',
  'DECIMAL_TYPE_INFO',
  'LIST_TYPE_INFO',
  'ARRAY_TYPE_INFO',
  'STRUCT_TYPE_INFO',
  'ENUM_TYPE_INFO',
  'UNBOUND_TYPE_INFO',
]);

/** Table functions that make rows of their arguments alone. */
export const TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'generate_series',
  'json_each',
  'json_tree',
  'range',
  'repeat',
  'unnest',
]);
