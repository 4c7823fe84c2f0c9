import { lineAndColumnAt, type TextSpan, tokenLengthAt } from './text-span.js';

/** A value in a text ready to run, and its placeholder. Counted in UTF-16 code units. */
export interface Replacement {
  readonly key: string;
  /** Where the value begins in the text ready to run. */
  readonly offset: number;
  readonly length: number;
  /** As it was written: `{{key}}`. */
  readonly placeholder: string;
}

/**
 * Finds in the saved text the token at an offset of the text ready to run, or the placeholder whose
 * value is there.
 *
 * @param sql the text ready to run.
 * @param replacements in the order of the text.
 */
export function toSavedSpan(sql: string, offset: number, replacements: readonly Replacement[]): TextSpan {
  const start = toSaved(offset, replacements);
  const length = tokenLengthAt(sql, offset);
  const end = length === 0 ? start : toSaved(offset + length - 1, replacements);
  const spanLength = length === 0 ? 0 : end.offset + (end.replacement?.placeholder.length ?? 1) - start.offset;
  return {
    ...lineAndColumnAt(toSavedText(sql, replacements), start.offset),
    offset: start.offset,
    length: start.replacement?.placeholder.length ?? spanLength,
    ...(start.replacement && { parameter: start.replacement.key }),
  };
}

interface SavedOffset {
  readonly offset: number;
  /** The one in whose value the offset lies; `offset` is where its placeholder begins. */
  readonly replacement?: Replacement;
}

function toSaved(offset: number, replacements: readonly Replacement[]): SavedOffset {
  let shift = 0;
  for (const replacement of replacements) {
    if (offset < replacement.offset) break;
    if (offset < replacement.offset + replacement.length) return { offset: replacement.offset + shift, replacement };
    shift += replacement.placeholder.length - replacement.length;
  }
  return { offset: offset + shift };
}

function toSavedText(sql: string, replacements: readonly Replacement[]): string {
  let end = 0;
  const parts = replacements.map(({ offset, length, placeholder }) => {
    const before = sql.slice(end, offset);
    end = offset + length;
    return before + placeholder;
  });
  return [...parts, sql.slice(end)].join('');
}
