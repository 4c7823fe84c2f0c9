import type { Column, ScalarName } from '../../types/column.js';
import { BIGNUM_FORM, bitRange, decimalForm, wholeNumberForm } from './exact-number-form.js';
import { floatingNumberForm } from './floating-number-form.js';
import { DATE_FORM, TIMESTAMP_FORM, TIMESTAMP_NS_FORM, TIMESTAMPTZ_FORM } from './instant-forms.js';
import { INTERVAL_FORM } from './interval-form.js';
import type { LiteralForm } from './literal-form.js';
import { BLOB_FORM, BOOLEAN_FORM, TEXT_FORM, UUID_FORM } from './text-forms.js';
import { TIMETZ_FORM, timeForm } from './time-forms.js';

const MAX_FLOAT = 3.4028234663852886e38;

const SCALAR_FORMS: Readonly<Record<ScalarName, LiteralForm>> = {
  BOOLEAN: BOOLEAN_FORM,
  TINYINT: wholeNumberForm('TINYINT', bitRange(8n, true)),
  SMALLINT: wholeNumberForm('SMALLINT', bitRange(16n, true)),
  INTEGER: wholeNumberForm('INTEGER', bitRange(32n, true)),
  BIGINT: wholeNumberForm('BIGINT', bitRange(64n, true)),
  HUGEINT: wholeNumberForm('HUGEINT', bitRange(128n, true)),
  UTINYINT: wholeNumberForm('UTINYINT', bitRange(8n, false)),
  USMALLINT: wholeNumberForm('USMALLINT', bitRange(16n, false)),
  UINTEGER: wholeNumberForm('UINTEGER', bitRange(32n, false)),
  UBIGINT: wholeNumberForm('UBIGINT', bitRange(64n, false)),
  UHUGEINT: wholeNumberForm('UHUGEINT', bitRange(128n, false)),
  BIGNUM: BIGNUM_FORM,
  FLOAT: floatingNumberForm('FLOAT', Math.fround, MAX_FLOAT),
  DOUBLE: floatingNumberForm('DOUBLE', (value) => value, Number.MAX_VALUE),
  VARCHAR: TEXT_FORM,
  JSON: TEXT_FORM,
  BLOB: BLOB_FORM,
  BIT: TEXT_FORM,
  UUID: UUID_FORM,
  ENUM: TEXT_FORM,
  DATE: DATE_FORM,
  TIME: timeForm('TIME', 6),
  TIME_NS: timeForm('TIME_NS', 9),
  TIMETZ: TIMETZ_FORM,
  TIMESTAMP: TIMESTAMP_FORM,
  TIMESTAMP_S: TIMESTAMP_FORM,
  TIMESTAMP_MS: TIMESTAMP_FORM,
  TIMESTAMP_NS: TIMESTAMP_NS_FORM,
  TIMESTAMPTZ: TIMESTAMPTZ_FORM,
  INTERVAL: INTERVAL_FORM,
  VARIANT: TEXT_FORM,
  GEOMETRY: TEXT_FORM,
  NULL: TEXT_FORM,
};

/** The literals that a column takes, fitted to the type in which it is compared. */
export function literalForm({ type, storedAs }: Column): LiteralForm {
  if (storedAs === 'decimal') return decimalForm(38, 0);
  if (type.kind === 'decimal') return decimalForm(type.precision, type.scale);
  return type.kind === 'scalar' ? SCALAR_FORMS[type.name] : TEXT_FORM;
}

/** Whether a column compares as text, so that `LIKE` has a meaning. */
export function comparesAsText(column: Column): boolean {
  return literalForm(column) === TEXT_FORM;
}
