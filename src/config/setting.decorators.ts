import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayNotEmpty, IsBoolean, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
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

/** One of a few words, or absent. */
export function OptionalChoiceSetting(choices: readonly string[]): PropertyDecorator {
  return applyDecorators(IsOptional(), ChoiceSetting(choices));
}

/** Text of a given form; `form` says in words what is expected. */
export function TextSetting(pattern: RegExp, form: string): PropertyDecorator {
  const message = `$property must be ${form}`;
  return applyDecorators(IsString({ message }), Matches(pattern, { message }));
}

/** Text that may be absent. */
export function OptionalTextSetting(pattern: RegExp, form: string): PropertyDecorator {
  return applyDecorators(IsOptional(), TextSetting(pattern, form));
}

/** Words separated by commas, each of a given form. */
export function ListSetting(pattern: RegExp, form: string, options: { allowEmpty?: boolean } = {}): PropertyDecorator {
  const message = `$property must be a comma-separated list, each ${form}`;
  const split = (text: string) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return applyDecorators(
    fromText(split),
    Matches(pattern, { message, each: true }),
    ...(options.allowEmpty ? [] : [ArrayNotEmpty({ message })]),
  );
}
