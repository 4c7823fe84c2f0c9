/**
 * The lexical context of a character of SQL, which decides how a value is written: `'string'`,
 * `E'escape string'`, `"identifier"`, `$tag$dollar string$tag$`, comment, or plain code.
 */
export type RegionKind = 'code' | 'string' | 'escape_string' | 'identifier' | 'dollar_string' | 'comment';

/** A span of SQL text of one kind. Regions have no gaps; quotes belong to the code around them. */
export interface Region {
  readonly kind: RegionKind;
  readonly text: string;
}

/** `{{key}}`, without quotes and backslashes: no placeholder crosses the end of a literal. */
export const PLACEHOLDER = /\{\{([^{}'"\\\r\n]*)\}\}/g;

/** The engine's spaces beyond ASCII, for a character class. All others are letters. */
export const UNICODE_SPACES = '\\xa0\\u2000-\\u200b\\u202f\\u205f\\u2060\\u3000\\ufeff';

/** A letter, a digit or an underscore, as the source of a regular expression. */
export const WORD_CHARACTER = `(?![${UNICODE_SPACES}])[\\w\\x80-\\uffff]`;

/** The start of a region, or what hides one: words (`a$b$c`, `code'` is not `E'`), placeholders. */
const OPENER = new RegExp(
  `${PLACEHOLDER.source}|--|/\\*|[eE]'|'|"|\\$(?:[A-Za-z_\\x80-\\uffff][\\w\\x80-\\uffff]*)?\\$|${WORD_CHARACTER}(?:\\$|${WORD_CHARACTER})*`,
  'g',
);

/** Cuts SQL into regions, by the engine's lexical rules. An unclosed region reaches to the end. */
export function splitRegions(sql: string): Region[] {
  const regions: Region[] = [];
  const opener = new RegExp(OPENER);
  let codeStart = 0;
  for (let match = opener.exec(sql); match; match = opener.exec(sql)) {
    const kind = kindOpenedBy(match[0]);
    if (kind === 'code') continue;
    const start = opener.lastIndex;
    const end = endOf(kind, match[0], sql, start);
    regions.push({ kind: 'code', text: sql.slice(codeStart, start) }, { kind, text: sql.slice(start, end) });
    codeStart = end;
    opener.lastIndex = end + closerLength(kind, match[0]);
  }
  return [...regions, { kind: 'code', text: sql.slice(codeStart) }];
}

function kindOpenedBy(opener: string): RegionKind {
  if (opener === '--' || opener === '/*') return 'comment';
  if (opener === "'") return 'string';
  if (opener === '"') return 'identifier';
  if (opener.endsWith("'")) return 'escape_string';
  return opener.startsWith('$') ? 'dollar_string' : 'code';
}

function closerLength(kind: RegionKind, opener: string): number {
  if (kind === 'comment') return 0;
  return kind === 'dollar_string' ? opener.length : 1;
}

function endOf(kind: RegionKind, opener: string, sql: string, start: number): number {
  switch (kind) {
    case 'string':
      return endOfQuoted(sql, start, /'(?!')|''/g);
    case 'escape_string':
      return endOfQuoted(sql, start, /'(?!')|''|\\[\s\S]/g);
    case 'identifier':
      return endOfQuoted(sql, start, /"(?!")|""/g);
    case 'dollar_string':
      return indexOrEnd(sql, sql.indexOf(opener, start));
    case 'comment':
      return opener === '--' ? indexOrEnd(sql, searchFrom(sql, /[\r\n]/g, start)) : endOfBlockComment(sql, start);
    case 'code':
      return start;
  }
}

/** @param marks matches the closing quote as one character, and escaped ones as two. */
function endOfQuoted(sql: string, start: number, marks: RegExp): number {
  marks.lastIndex = start;
  for (let mark = marks.exec(sql); mark; mark = marks.exec(sql)) if (mark[0].length === 1) return mark.index;
  return sql.length;
}

/** Block comments nest. */
function endOfBlockComment(sql: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 1;
  for (let mark = marks.exec(sql); mark; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return sql.length;
}

function searchFrom(sql: string, pattern: RegExp, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(sql)?.index ?? -1;
}

function indexOrEnd(sql: string, index: number): number {
  return index === -1 ? sql.length : index;
}
