import { ApiProperty } from '@nestjs/swagger';
import { OptionalChoice, OptionalText, OptionalTextOrNumber, OptionalTexts, Text } from '../http/validation.js';
import { toDatetimeText } from './datetime.js';
import { PARAMETER_TYPES, type Parameter, type ParameterType } from './parameter.js';
import { InvalidParameterError } from './queries.errors.js';

/** A value that an execution gives to a parameter, for the OpenAPI document. */
export const PARAMETER_VALUE = {
  oneOf: [
    { type: 'string', nullable: true },
    { type: 'number' },
    { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
  ],
};

/** A parameter as a client declares it. */
export class ParameterDto {
  @Text({ maxLength: 100, description: 'Its name: what stands between `{{` and `}}`.', example: 'country' })
  key!: string;

  @OptionalChoice([...PARAMETER_TYPES, 'date'], {
    description: '`text` when absent; `date` is another word for `datetime`.',
  })
  type?: ParameterType | 'date';

  @OptionalTextOrNumber({
    maxLength: 10_000,
    description: 'Default, taken when an execution gives no value.',
    example: 'FR',
  })
  value?: string;

  @OptionalTexts({
    maxItems: 1_000,
    maxLength: 1_000,
    description: 'For `enum`: the values it can have; any when empty.',
  })
  enumOptions?: string[];

  @OptionalText({ maxLength: 1_000 })
  description?: string;
}

/** A parameter in a reply. */
export class ParameterBody {
  @ApiProperty({ example: 'country' })
  key!: string;

  @ApiProperty({ enum: PARAMETER_TYPES })
  type!: ParameterType;

  /** Clients require it. */
  @ApiProperty({
    description: 'Default; empty when there is none. Of a `datetime`: `YYYY-MM-DD HH:MM:SS`, in UTC.',
  })
  value!: string;

  @ApiProperty({ type: [String] })
  enumOptions!: readonly string[];

  @ApiProperty()
  description!: string;
}

/**
 * The parameters of a request: declared, or as an object of name to default (number or text).
 *
 * @throws {InvalidParameterError} if a default is neither, also beside a list that wins.
 */
export function toParameters(
  declared: readonly ParameterDto[] | undefined,
  named: Readonly<Record<string, unknown>> | undefined,
): Parameter[] | undefined {
  const fromNames = named && Object.entries(named).map(([key, value]) => toNamedParameter(key, value));
  return declared ? declared.map(toParameter) : fromNames;
}

/** A parameter in the form of {@link ParameterBody}. */
export function toParameterBody({
  key,
  type,
  defaultValue = '',
  enumOptions,
  description = '',
}: Parameter): ParameterBody {
  const value = type === 'datetime' ? toDatetimeText(defaultValue) : defaultValue;
  return { key, type, value, enumOptions, description };
}

function toParameter({ key, type, value, enumOptions, description }: ParameterDto): Parameter {
  return {
    key,
    type: type === 'date' ? 'datetime' : (type ?? 'text'),
    defaultValue: value ?? undefined,
    enumOptions: enumOptions ?? [],
    description: description ?? undefined,
  };
}

function toNamedParameter(key: string, value: unknown): Parameter {
  if (typeof value === 'number') return { key, type: 'number', defaultValue: String(value), enumOptions: [] };
  if (typeof value === 'string') return { key, type: 'text', defaultValue: value, enumOptions: [] };
  throw new InvalidParameterError(key, 'the default must be text or a number, not an object or a list');
}
