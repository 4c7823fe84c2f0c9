import { InvalidCsvNullError } from './read-plan.errors.js';

const MAX_LENGTH = 32;

/** Characters that end a field or a line, begin a quoted field, or are invisible. */
const REFUSED = /[,"\p{Cc}]/u;

/**
 * Parses `csv_null`, the text that stands for NULL in CSV; an empty one counts as absent.
 * @throws InvalidCsvNullError if a reader of CSV could read another field than this text.
 */
export function parseCsvNull(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.length > MAX_LENGTH || REFUSED.test(text) || text.trim() !== text) throw new InvalidCsvNullError(MAX_LENGTH);
  return text;
}
