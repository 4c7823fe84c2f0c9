import { InvalidCsvNullError } from './read-plan.errors.js';

const MAX_LENGTH = 32;

/** What would end a field or a line, begin a quoted field, or cannot be seen. */
const REFUSED = /[,"\p{Cc}]/u;

/**
 * Parses `csv_null`, the text that stands for NULL in CSV; an empty one counts as absent.
 * @throws InvalidCsvNullError if the text could be taken for something else than one field.
 */
export function parseCsvNull(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.length > MAX_LENGTH || REFUSED.test(text) || text.trim() !== text) throw new InvalidCsvNullError(MAX_LENGTH);
  return text;
}
