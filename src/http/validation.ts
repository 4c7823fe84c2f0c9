import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

/** The part of the OpenAPI document. Where a property may be absent, null counts as absent. */
interface Described {
  description?: string;
  example?: unknown;
  /** For the OpenAPI document only. */
  pattern?: string;
}

interface TextOptions extends Described {
  maxLength: number;
  minLength?: number;
}

interface NamedValuesOptions extends Described {
  values: object;
}

/** Of parameters whose empty text counts as absent, for the OpenAPI document. */
export const MAY_BE_EMPTY: object = { allowEmptyValue: true };

/** Text that is bounded in bytes, not in characters. */
interface BytesOptions extends Described {
  maxBytes: number;
}

/** The catalog stores UTF-8, which cannot hold half of a surrogate pair. */
function wellFormed({ each = false } = {}): PropertyDecorator {
  const validate = (value: unknown) => typeof value !== 'string' || value.isWellFormed();
  const defaultMessage = () => 'must not hold half of a surrogate pair';
  return ValidateBy({ name: 'wellFormed', validator: { validate, defaultMessage } }, { each });
}

function text({ maxLength, minLength = 0 }: TextOptions): PropertyDecorator {
  return applyDecorators(
    IsString({ message: 'must be text' }),
    MaxLength(maxLength, { message: `must be at most ${maxLength} characters long` }),
    MinLength(minLength, {
      message: minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters long`,
    }),
    wellFormed(),
  );
}

/** Text that must be there and not empty. */
export function Text(options: TextOptions): PropertyDecorator {
  return applyDecorators(ApiProperty({ type: String, minLength: 1, ...options }), text({ minLength: 1, ...options }));
}

/** Text that may be absent. */
export function OptionalText(options: TextOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, ...options }),
    IsOptional(),
    text(options),
  );
}

function sizedText({ maxBytes }: BytesOptions): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && Buffer.byteLength(value) <= maxBytes;
  const defaultMessage = () => `must be at most ${maxBytes} bytes of UTF-8 long`;
  return applyDecorators(
    IsString({ message: 'must be text' }),
    ValidateBy({ name: 'maxBytes', validator: { validate, defaultMessage } }),
    MinLength(1, { message: 'must not be empty' }),
    wellFormed(),
  );
}

/** Text of at most so many bytes that must be there and not empty. */
export function SizedText({ maxBytes, ...described }: BytesOptions): PropertyDecorator {
  const schema = { type: String, minLength: 1, maxLength: maxBytes, ...described };
  return applyDecorators(ApiProperty(schema), sizedText({ maxBytes }));
}

/** Text of at most so many bytes that is not empty and may be absent. */
export function OptionalSizedText({ maxBytes, ...described }: BytesOptions): PropertyDecorator {
  const schema = { type: String, nullable: true, minLength: 1, maxLength: maxBytes, ...described };
  return applyDecorators(ApiPropertyOptional(schema), IsOptional(), sizedText({ maxBytes }));
}

/** `true` or `false`, may be absent. */
export function OptionalBoolean(options: Described = {}): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Boolean, nullable: true, ...options }),
    IsOptional(),
    IsBoolean({ message: 'must be true or false' }),
  );
}

/** `true` or `false` in a query string, in upper or lower case, may be absent or empty. */
export function OptionalFlag(options: Described): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => toFlag(value)),
    OptionalBoolean({ ...MAY_BE_EMPTY, ...options }),
  );
}

/** One of a few words, may be absent but not null: generated clients would make null a type. */
export function OptionalChoice(choices: readonly string[], options: Described = {}): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ enum: [...choices], type: String, ...options }),
    ValidateIf((_object, value) => value !== undefined),
    IsIn(choices, { message: `must be one of ${choices.join(', ')}` }),
  );
}

/** One of a few words, in upper or lower case, that must be there. */
export function Choice(choices: readonly string[], options: Described = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ enum: [...choices], ...options }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value)),
    IsIn(choices, { message: `must be one of ${choices.join(', ')}` }),
  );
}

/** A JSON object with any keys, may be absent; `values` describes what they hold. */
function OptionalObject({ values, ...options }: NamedValuesOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'object', nullable: true, additionalProperties: values, ...options }),
    IsOptional(),
    IsObject({ message: 'must be an object' }),
  );
}

/** A list of texts, may be absent. */
export function OptionalTexts(options: TextOptions & { maxItems: number }): PropertyDecorator {
  const { maxLength, maxItems } = options;
  return applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', maxLength },
      maxItems,
      nullable: true,
      description: options.description,
    }),
    IsOptional(),
    IsArray({ message: 'must be a list' }),
    ArrayMaxSize(maxItems, { message: `must have at most ${maxItems} items` }),
    IsString({ each: true, message: 'must hold only text' }),
    MaxLength(maxLength, { each: true, message: `must hold texts of at most ${maxLength} characters` }),
    wellFormed({ each: true }),
  );
}

/** A list of objects of one class, may be absent. */
export function OptionalItems(
  item: () => new () => object,
  options: Described & { maxItems: number },
): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: () => item(), isArray: true, nullable: true, ...options }),
    IsOptional(),
    IsArray({ message: 'must be a list' }),
    ArrayMaxSize(options.maxItems, { message: `must have at most ${options.maxItems} items` }),
    ValidateNested({ each: true, message: 'must hold only objects' }),
    Type(item),
  );
}

/** A list of objects of one class that must be there and not empty. */
export function Items(item: () => new () => object, options: Described & { maxItems: number }): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: () => item(), isArray: true, minItems: 1, ...options }),
    IsArray({ message: 'must be a list' }),
    ArrayNotEmpty({ message: 'must not be empty' }),
    ArrayMaxSize(options.maxItems, { message: `must have at most ${options.maxItems} items` }),
    ValidateNested({ each: true, message: 'must hold only objects' }),
    Type(item),
  );
}

/** Text, or a number that is taken as text, may be absent. */
export function OptionalTextOrNumber(options: TextOptions): PropertyDecorator {
  const { maxLength: _, minLength: __, ...described } = options;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value)),
    ApiPropertyOptional({
      oneOf: [{ type: 'string', nullable: true, maxLength: options.maxLength }, { type: 'number' }],
      ...described,
    }),
    IsOptional(),
    text(options),
  );
}

/** A JSON object of name to value, may be absent; an empty list counts as an empty object. */
export function OptionalNamedValues(options: NamedValuesOptions): PropertyDecorator {
  return applyDecorators(
    // The original value: the transformation drops names that every object has (`constructor`).
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => {
      const value = obj[key];
      return Array.isArray(value) && value.length === 0 ? {} : value;
    }),
    OptionalObject(options),
  );
}

/** A whole number of the query string, may be absent or empty. */
export function OptionalInt({
  min,
  max = Number.MAX_SAFE_INTEGER,
  ...options
}: Described & { min: number; max?: number }): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: min, maximum: max, ...MAY_BE_EMPTY, ...options }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => toWholeNumber(value)),
    IsInt({ message: 'must be a whole number' }),
    Min(min, { message: `must be at least ${min}` }),
    Max(max, { message: `must be at most ${max}` }),
  );
}

/** The flag that a text means, in upper or lower case; the text itself if it means none. */
export function toFlag(text: unknown): unknown {
  if (text === '') return undefined;
  return { true: true, false: false }[String(text).toLowerCase()] ?? text;
}

function toWholeNumber(text: unknown): number | undefined {
  if (text === undefined || text === '') return undefined;
  return typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** An instant of the query string, as ISO 8601; a date is its midnight in UTC. May be absent. */
export function OptionalInstant(options: Described = {}): PropertyDecorator {
  const message = 'must be an instant such as 2026-03-01T10:20:30Z';
  const validate = (value: unknown) => typeof value === 'string' && isInstant(value);
  return applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date-time', ...options }),
    IsOptional(),
    ValidateBy({ name: 'instant', validator: { validate, defaultMessage: () => message } }),
  );
}

const ISO_INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** The day is checked alone: `Date` moves one that its month does not have to the next month. */
function isInstant(text: string): boolean {
  const day = new Date(text.slice(0, 10));
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
  return ISO_INSTANT.test(text) && isDay && !Number.isNaN(Date.parse(text));
}
