import { InvalidRequestError } from '../http/common.errors.js';
import { InsertFormatError } from './uploads.errors.js';

/** The values of {@link RowFormat}. */
export const ROW_FORMATS = ['csv', 'ndjson'] as const;
/** How the rows of an insert are written. */
export type RowFormat = (typeof ROW_FORMATS)[number];

const BY_MEDIA_TYPE: Readonly<Record<string, RowFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
};

/**
 * The format of the rows of an insert, by its Content-Type, else by the parameter `format`. Bytes
 * without either, `application/octet-stream`, are CSV.
 *
 * @throws InsertFormatError, InvalidRequestError
 */
export function rowFormatOf(contentType = '', format?: RowFormat): RowFormat {
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const ofType = BY_MEDIA_TYPE[mediaType];
  if (ofType && format && ofType !== format)
    throw new InvalidRequestError(`format: must be ${ofType}, as the Content-Type is ${mediaType}`);
  const found = ofType ?? format ?? (mediaType === 'application/octet-stream' ? 'csv' : undefined);
  if (!found) throw new InsertFormatError();
  return found;
}
