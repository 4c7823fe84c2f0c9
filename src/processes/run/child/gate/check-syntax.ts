import { findMeantName } from '../../../../config/nearest-names.js';
import functions from './functions.json' with { type: 'json' };
import { EXPRESSION_CLASSES, NODE_TYPES, TABLE_FUNCTIONS } from './known-syntax.js';
import { RefusedStatementError } from './refused-statement-error.js';
import { isSyntaxNode, locationOf, partsOf, type SyntaxNode, textOf } from './syntax-tree.js';

/** The tree has names in lower case, the engine's list not always. */
const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(functions.allowed.map((name) => name.toLowerCase()));

/** A tree of 100 kB of SQL has fewer objects and lists. */
const MAX_NODES = 400_000;

/** Deeper trees overflow stacks later. The expression limit of the engine is lower. */
const MAX_DEPTH = 3000;

/**
 * Checks every node of a statement: only functions, table functions and kinds of syntax from closed
 * lists are allowed.
 *
 * @throws RefusedStatementError
 */
export function checkSyntax(statement: SyntaxNode): void {
  let level: object[] = [statement];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth++) {
    seen += level.length;
    if (seen > MAX_NODES || depth > MAX_DEPTH) {
      throw new RefusedStatementError(
        'The statement is nested too deeply or too long: it exceeds the limit of its syntax tree',
      );
    }
    for (const part of level) if (isSyntaxNode(part)) checkNode(part);
    level = level.flatMap(partsOf);
  }
}

function checkNode(node: SyntaxNode): void {
  checkKind(node);
  if (node.type === 'TABLE_FUNCTION') checkTableFunction(node);
  if ('function_name' in node) checkFunction(node);
  if (node.type === 'SHOW_REF') checkShow(node);
  if ('at_clause' in node)
    throw new RefusedStatementError(
      'AT is not supported, a run sees one version of a table: remove AT',
      locationOf(node),
    );
}

function checkKind(node: SyntaxNode): void {
  if ('class' in node) {
    if (EXPRESSION_CLASSES.has(textOf(node, 'class'))) return;
    throw new RefusedStatementError(
      `This kind of expression is not supported: ${textOf(node, 'class')}`,
      locationOf(node),
    );
  }
  if (typeof node.type !== 'string' || NODE_TYPES.has(node.type)) return;
  throw new RefusedStatementError(`This kind of syntax is not supported: ${node.type}`, locationOf(node));
}

/**
 * A qualifier can be a column, `name.upper()`. There are no functions except those of the engine.
 */
function checkFunction(node: SyntaxNode): void {
  const name = textOf(node, 'function_name');
  if (ALLOWED_FUNCTIONS.has(name) || TABLE_FUNCTIONS.has(name)) return;
  const meant = findMeantName(name, functions.allowed);
  const hint = meant === undefined ? '' : `. Did you mean ${meant}?`;
  throw new RefusedStatementError(`Function "${name}" does not exist or may not be called${hint}`, locationOf(node));
}

function checkTableFunction(node: SyntaxNode): void {
  const call = isSyntaxNode(node.function) ? node.function : {};
  const name = textOf(call, 'function_name');
  const isQualified = textOf(call, 'catalog') !== '' || !['', 'main'].includes(textOf(call, 'schema'));
  if (TABLE_FUNCTIONS.has(name) && !isQualified) return;
  throw new RefusedStatementError(`Table function "${name}" does not exist or may not be called`, locationOf(node));
}

/**
 * `DESCRIBE` and `SUMMARIZE` of a query contain the query. A run has no use for the lists of
 * `SHOW`.
 */
function checkShow(node: SyntaxNode): void {
  const isOfQuery = isSyntaxNode(node.query) && textOf(node, 'table_name') === '';
  if (isOfQuery && ['DESCRIBE', 'SUMMARY'].includes(textOf(node, 'show_type'))) return;
  throw new RefusedStatementError('SHOW is not supported; DESCRIBE <table or query> is', locationOf(node));
}
