/** Names by which a delimiter can be given. */
const NAMES: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  '\\t': '\t',
  pipe: '|',
  space: ' ',
};

const NO_DELIMITER = /["a-zA-Z0-9\r\n]/;
const LAST_ASCII = '~';

/** What a delimiter may be, for a message: "must be …". */
export const DELIMITER_RULE =
  'one ASCII character that is no letter, digit or quote, or comma, semicolon, tab, pipe or space';

/** What {@link parseDelimiter} takes, for the OpenAPI document; it takes the names in any case. */
export const DELIMITER_PATTERN = '^(comma|semicolon|tab|pipe|space|\\\\t|[!#-/:-@\\[-`{-~ \\t])$';

/** The delimiter that a text gives, by itself or by its name; nothing if it gives none. */
export function parseDelimiter(text: string): string | undefined {
  if (Object.hasOwn(NAMES, text.toLowerCase())) return NAMES[text.toLowerCase()];
  const isAscii = text.length === 1 && text !== '\0' && text <= LAST_ASCII;
  return isAscii && !NO_DELIMITER.test(text) ? text : undefined;
}

/** A delimiter as a message writes it. */
export function delimiterName(delimiter: string): string {
  return delimiter === '\t' ? 'a tab' : `'${delimiter}'`;
}
