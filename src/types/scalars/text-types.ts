import { sql } from '../../duckdb/sql.js';
import { BLOB_PARSER, TEXT_PARSER, UUID_PARSER } from '../literals/text-parsers.js';
import type { TypeRecord } from '../type-record.js';
import { blobTextSql, jsonTextSql, variantTextSql } from '../value-text.js';

/** A type whose text is all that a reader needs: it is stored and compared as that. */
const TEXT = {
  wireName: 'varchar',
  storage: 'text',
  text: 'engine',
  json: 'string',
  csvQuotes: 'if needed',
  bytes: 'text',
  literals: TEXT_PARSER,
  upload: null,
} satisfies TypeRecord;

/** Text, bytes and documents. */
export const TEXT_TYPES = {
  VARCHAR: { ...TEXT, storage: 'same', upload: { rule: 'text', inferredFrom: 'texts' } },
  /** An alias of VARCHAR in the engine. */
  JSON: {
    ...TEXT,
    wireName: 'json',
    text: jsonTextSql,
    json: 'bare_inside',
    upload: { rule: 'text', inferredFrom: 'nested values' },
  },
  VARIANT: { ...TEXT, wireName: 'json', text: variantTextSql, json: 'bare_inside' },
  BIT: TEXT,
  /** Its values are not known here; a cast takes it as text. */
  ENUM: { ...TEXT, castName: 'VARCHAR' },
  GEOMETRY: TEXT,
  /** The type of a column without a value and without a type. */
  NULL: { ...TEXT, engineId: 'SQLNULL' },
  UUID: {
    wireName: 'uuid',
    storage: 'same',
    text: 'engine',
    json: 'string',
    csvQuotes: 'never',
    bytes: 16,
    literals: UUID_PARSER,
    upload: null,
  },
  BLOB: {
    wireName: 'varbinary',
    storage: 'same',
    text: blobTextSql,
    json: 'string',
    csvQuotes: 'never',
    bytes: 'blob',
    literals: BLOB_PARSER,
    upload: { rule: 'bytes', inferredFrom: null, fromText: (text) => sql`from_hex(substr(${text}, 3))` },
  },
} satisfies Record<string, TypeRecord>;
