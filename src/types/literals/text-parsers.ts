import { equalTo, type LiteralParser, stringParser } from './literal.js';

/** Text, and every type that compares as its wire text: JSON, ENUM, nested values. */
export const TEXT_PARSER = stringParser('VARCHAR', 'a string in single quotes', equalTo);

/** UUID, with hyphens or without, in any case. */
export const UUID_PARSER = stringParser('UUID', 'a UUID as a string', (text) =>
  /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text) ? equalTo(text) : undefined,
);

/** BOOLEAN. The engine would take `t`, `yes` and 1 as well. */
export const BOOLEAN_PARSER: LiteralParser = {
  castTo: 'BOOLEAN',
  takes: 'TRUE or FALSE',
  parse: (literal) => {
    if (literal.kind === 'boolean') return equalTo(String(literal.isTrue));
    const isWord = literal.kind === 'string' && /^(?:true|false)$/i.test(literal.text);
    return isWord ? equalTo(literal.text) : undefined;
  },
};

/** BLOB, bare or as a string, which is how the service prints it. */
export const BLOB_PARSER: LiteralParser = {
  castTo: 'BLOB',
  takes: 'bytes such as 0x00FF, two hex digits each',
  parse: (literal) => {
    if (literal.kind !== 'hex' && literal.kind !== 'string') return undefined;
    if (!/^0x(?:[0-9a-f]{2})*$/i.test(literal.text)) return undefined;
    return equalTo(literal.text.slice(2).replace(/../g, '\\x$&'));
  },
};
