import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  Min,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import { parseDurationMs, parseSize } from './units.js';

interface Range {
  min: number;
  max?: number;
}

/** Values arrive as text from the environment, or typed from code (defaults, tests). */
function fromText(parse: (text: string) => unknown): PropertyDecorator {
  return Transform(({ value }) => (typeof value === 'string' ? parse(value) : value), { toClassOnly: true });
}

function inRange({ min, max = Number.MAX_SAFE_INTEGER }: Range, kind: string): PropertyDecorator {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const message = `$property must be ${kind} ${bounds}`;
  return applyDecorators(IsInt({ message }), Min(min, { message }), Max(max, { message }));
}

/** A whole number. */
export function IntSetting(range: Range): PropertyDecorator {
  return applyDecorators(fromText(Number), inRange(range, 'a whole number'));
}

/** A whole number, or absent. */
export function OptionalIntSetting(range: Range): PropertyDecorator {
  return applyDecorators(IsOptional(), IntSetting(range));
}

/** A size in bytes, written like `8GB` or `512MiB`. */
export function SizeSetting(range: Range): PropertyDecorator {
  return applyDecorators(fromText(parseSize), inRange(range, "a size like '512MB', in bytes"));
}

/** A duration in milliseconds, written like `30m` or `10s`. */
export function DurationSetting(range: Range): PropertyDecorator {
  return applyDecorators(fromText(parseDurationMs), inRange(range, "a duration like '30m', in milliseconds"));
}

/** `true` or `false`. */
export function BooleanSetting(): PropertyDecorator {
  const parse = (text: string) => ({ true: true, false: false })[text.toLowerCase()];
  return applyDecorators(fromText(parse), IsBoolean({ message: '$property must be true or false' }));
}

/** One of a few words. */
export function ChoiceSetting(choices: readonly string[]): PropertyDecorator {
  return IsIn(choices, { message: `$property must be one of ${choices.join(', ')}` });
}

/** What a text must match, or must be found right by. */
type Form = RegExp | ((text: string) => boolean);

function hasForm(form: Form, options: { message: string; each?: boolean }): PropertyDecorator {
  const isRight = typeof form === 'function' ? form : (text: string) => form.test(text);
  const validate = (value: unknown) => typeof value === 'string' && isRight(value);
  return ValidateBy({ name: 'hasForm', validator: { validate } }, options);
}

/** Text of a given form; `words` say what is expected. */
export function TextSetting(form: Form, words: string): PropertyDecorator {
  return hasForm(form, { message: `$property must be ${words}` });
}

/** Text that may be absent. */
export function OptionalTextSetting(form: Form, words: string): PropertyDecorator {
  return applyDecorators(IsOptional(), TextSetting(form, words));
}

/** Text that may be absent; `findIssue` returns what is wrong, as the end of a sentence. */
export function OptionalCheckedSetting(findIssue: (text: string) => string | undefined): PropertyDecorator {
  const issueOf = (value: unknown) => (typeof value === 'string' ? findIssue(value) : 'must be text');
  const validator = { validate: (value: unknown) => issueOf(value) === undefined };
  const message = ({ property, value }: ValidationArguments) => `${property} ${issueOf(value)}`;
  return applyDecorators(IsOptional(), ValidateBy({ name: 'hasNoIssue', validator }, { message }));
}

/** Words separated by commas, each of a given form. */
export function ListSetting(form: Form, words: string, options: { allowEmpty?: boolean } = {}): PropertyDecorator {
  const message = `$property must be a comma-separated list, each ${words}`;
  const split = (text: string) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return applyDecorators(
    fromText(split),
    hasForm(form, { message, each: true }),
    ...(options.allowEmpty ? [] : [ArrayNotEmpty({ message })]),
  );
}
