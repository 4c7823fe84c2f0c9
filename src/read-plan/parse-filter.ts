import { excerpt } from '../http/excerpt.js';
import type { Literal } from '../types/literals/literal.js';
import { FilterLimitError, FilterSyntaxError } from './read-plan.errors.js';
import type { Connective, Filter, Operator } from './read-plan.js';
import { type Token, tokenizeFilter } from './tokenize-filter.js';

const MAX_TEXT_BYTES = 16 * 1024;
const MAX_DEPTH = 64;
const MAX_LIST_VALUES = 1000;

const OPERATORS = new Map<string, Operator>([
  ['=', '='],
  ['!=', '<>'],
  ['<>', '<>'],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

/**
 * Parses a `filters` text (`docs/contract.md`, "Filters"). Keywords may be in any case, and white
 * space is free between tokens:
 *
 *     filter    = or
 *     or        = and { OR and }
 *     and       = primary { AND primary }
 *     primary   = "(" or ")" | criterion
 *     criterion = column operator value
 *               | column ( LIKE | ILIKE ) string
 *               | column IN "(" value { "," value } ")"
 *               | column IS NULL
 *     operator  = "=" | "!=" | "<>" | "<" | "<=" | ">" | ">="
 *     column    = name | '"' any, with "" or \" for a quote '"'
 *     value     = string | number | hex | TRUE | FALSE
 *     name      = letter or "_", then letters, digits and "_", of any script
 *     string    = "'" any, with '' for a quote "'"
 *     number    = -1  +1  1.5  .5  1e5
 *     hex       = 0xC0FFEE
 *
 * A text may have 16 kB of UTF-8, parentheses 64 deep, and 1000 values in one `IN`.
 *
 * @throws FilterSyntaxError, FilterLimitError with an offset.
 */
export function parseFilter(text: string): Filter<string> {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_TEXT_BYTES));
  if (read < text.length) throw new FilterLimitError('the text is longer than 16 kB', read);
  return new FilterParser(tokenizeFilter(text)).parse();
}

/** Recursive descent over the tokens; one method for each rule of the grammar. */
class FilterParser {
  private position = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): Filter<string> {
    const filter = this.or();
    if (this.next.kind === 'end') return filter;
    if (this.isSymbol(')')) throw this.error("this ')' closes nothing");
    throw this.unexpected('AND, OR or the end of the text');
  }

  private or(): Filter<string> {
    return this.logical('OR', () => this.logical('AND', () => this.primary()));
  }

  private logical(connective: Connective, operand: () => Filter<string>): Filter<string> {
    const first = operand();
    const operands = [first];
    while (this.takeKeyword(connective)) operands.push(operand());
    return operands.length === 1 ? first : { kind: 'logical', connective, operands };
  }

  private primary(): Filter<string> {
    const open = this.next;
    if (!this.takeSymbol('(')) return this.criterion();
    if (++this.depth > MAX_DEPTH)
      throw new FilterLimitError(`parentheses are more than ${MAX_DEPTH} deep`, open.offset);
    const filter = this.or();
    if (this.next.kind === 'end') throw this.error("this '(' is not closed", open);
    if (!this.takeSymbol(')')) throw this.unexpected("AND, OR or ')'");
    this.depth--;
    return filter;
  }

  private criterion(): Filter<string> {
    const column = this.column();
    const operator = OPERATORS.get(this.next.kind === 'symbol' ? this.next.text : '');
    if (operator) {
      this.take();
      return { kind: 'comparison', column, operator, value: this.value() };
    }
    if (this.takeKeyword('LIKE')) return { kind: 'pattern', column, operator: 'LIKE', pattern: this.pattern() };
    if (this.takeKeyword('ILIKE')) return { kind: 'pattern', column, operator: 'ILIKE', pattern: this.pattern() };
    if (this.takeKeyword('IN')) return { kind: 'membership', column, values: this.list() };
    if (this.takeKeyword('IS')) {
      if (!this.takeKeyword('NULL')) throw this.unexpected('NULL after IS');
      return { kind: 'is_null', column };
    }
    if (this.next.kind === 'name' && /^between$/i.test(this.next.written)) {
      throw this.error('BETWEEN is not supported, use >= and <=');
    }
    throw this.unexpected('an operator (=, <>, <, <=, >, >=, LIKE, ILIKE, IN, IS NULL)');
  }

  private column(): string {
    if (this.next.kind !== 'name') throw this.unexpected('a column name');
    const name = this.take();
    if (this.isSymbol('(')) throw this.error('functions are not supported', name);
    return name.text;
  }

  private pattern(): string {
    if (this.next.kind !== 'string') throw this.unexpected('a string in single quotes');
    return this.take().text;
  }

  private list(): Literal[] {
    const open = this.next;
    if (!this.takeSymbol('(')) throw this.unexpected("'(' after IN");
    const values: Literal[] = [];
    do {
      if (values.length === MAX_LIST_VALUES) {
        throw new FilterLimitError(`an IN list has more than ${MAX_LIST_VALUES} values`, this.next.offset);
      }
      values.push(this.value());
    } while (this.takeSymbol(','));
    if (this.next.kind === 'end') throw this.error("this '(' is not closed", open);
    if (!this.takeSymbol(')')) throw this.unexpected("',' or ')'");
    return values;
  }

  private value(): Literal {
    const { kind, text } = this.next;
    if (kind === 'string' || kind === 'number' || kind === 'hex') {
      this.take();
      return { kind, text };
    }
    if (this.takeKeyword('TRUE')) return { kind: 'boolean', isTrue: true };
    if (this.takeKeyword('FALSE')) return { kind: 'boolean', isTrue: false };
    throw this.notAValue();
  }

  private notAValue(): FilterSyntaxError {
    if (this.next.kind === 'keyword' && this.next.text === 'NULL') {
      return this.error('nothing compares with NULL, use IS NULL');
    }
    if (this.next.kind !== 'name') return this.unexpected('a value');
    const following = this.tokens[this.position + 1];
    if (following?.kind === 'symbol' && following.text === '(') return this.error('functions are not supported');
    return this.error('a column cannot stand on the right, and a text value is written in single quotes');
  }

  private get next(): Token {
    const token = this.tokens[this.position];
    if (token === undefined) throw new Error('The parser read past the end token.');
    return token;
  }

  private take(): Token {
    const token = this.next;
    this.position++;
    return token;
  }

  private isSymbol(symbol: string): boolean {
    return this.next.kind === 'symbol' && this.next.text === symbol;
  }

  private takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.position++;
    return true;
  }

  private takeKeyword(keyword: string): boolean {
    if (this.next.kind !== 'keyword' || this.next.text !== keyword) return false;
    this.position++;
    return true;
  }

  private unexpected(expected: string): FilterSyntaxError {
    const got = this.next.kind === 'end' ? 'the end of the text' : `'${excerpt(this.next.written)}'`;
    return this.error(`expected ${expected}, got ${got}`);
  }

  private error(reason: string, at: Token = this.next): FilterSyntaxError {
    return new FilterSyntaxError(reason, at.offset);
  }
}
