import { equalTo, type LiteralForm, stringForm } from './literal-form.js';

/** Text, and every type that compares as the text that the service prints: JSON, ENUM, BIT, nested values. */
export const TEXT_FORM = stringForm('a string in single quotes', (text) => equalTo(text, 'VARCHAR'));

/** UUID, with hyphens or without, in any case. */
export const UUID_FORM = stringForm('a UUID as a string', (text) =>
  /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text) ? equalTo(text, 'UUID') : undefined,
);

/** BOOLEAN. The engine would take `t`, `yes` and 1 as well. */
export const BOOLEAN_FORM: LiteralForm = {
  takes: 'TRUE or FALSE',
  bind: (literal) => {
    if (literal.kind === 'boolean') return equalTo(String(literal.isTrue), 'BOOLEAN');
    const isWord = literal.kind === 'string' && /^(?:true|false)$/i.test(literal.text);
    return isWord ? equalTo(literal.text, 'BOOLEAN') : undefined;
  },
};

/** BLOB, bare or as a string, which is how the service prints it. */
export const BLOB_FORM: LiteralForm = {
  takes: 'bytes such as 0x00FF, two hex digits each',
  bind: (literal) => {
    if (literal.kind !== 'hex' && literal.kind !== 'string') return undefined;
    if (!/^0x(?:[0-9a-f]{2})*$/i.test(literal.text)) return undefined;
    return equalTo(literal.text.slice(2).replace(/../g, '\\x$&'), 'BLOB');
  },
};
