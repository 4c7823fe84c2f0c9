import { MAX_STATEMENT_BYTES } from '../../duckdb/statement-size.js';
import {
  OptionalBoolean,
  OptionalItems,
  OptionalNamedValues,
  OptionalSizedText,
  OptionalText,
  OptionalTexts,
  SizedText,
  Text,
} from '../../http/validation.js';
import { ParameterDto, toParameters } from '../parameter.dto.js';
import type { NewQuery, QueryChanges } from '../query.js';

const MAX_NAME_LENGTH = 300;

/** What creating and altering a query have in common. */
class QueryFieldsDto {
  @OptionalText({ maxLength: 10_000 })
  description?: string;

  @OptionalTexts({ maxItems: 100, maxLength: 100 })
  tags?: string[];

  @OptionalBoolean({ description: 'Whether only its own account can read and execute it.' })
  is_private?: boolean;

  @OptionalItems(() => ParameterDto, { maxItems: 200, description: 'All its parameters.' })
  parameters?: ParameterDto[];

  @OptionalNamedValues({
    description: 'Another way to give the parameters: defaults, by name.',
    values: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    example: { country: 'FR' },
  })
  query_parameters?: Record<string, unknown>;
}

/** A query to save. */
export class CreateQueryDto extends QueryFieldsDto {
  @Text({ maxLength: MAX_NAME_LENGTH, example: 'Orders by country' })
  name!: string;

  @SizedText({
    maxBytes: MAX_STATEMENT_BYTES,
    description: 'One SELECT statement.',
    example: "SELECT 42 AS answer, '{{country}}' AS country",
  })
  query_sql!: string;
}

/** Changes of a saved query: an absent field stays as it is, an empty list empties it. */
export class AlterQueryDto extends QueryFieldsDto {
  @OptionalText({ minLength: 1, maxLength: MAX_NAME_LENGTH })
  name?: string;

  @OptionalSizedText({ maxBytes: MAX_STATEMENT_BYTES, description: 'Another text makes a new version.' })
  query_sql?: string;

  @OptionalBoolean({ description: 'An archived query cannot be executed.' })
  is_archived?: boolean;
}

/** The query that a body asks for. */
export function toNewQuery(dto: CreateQueryDto): NewQuery {
  return {
    name: dto.name,
    sql: dto.query_sql,
    description: dto.description ?? '',
    tags: dto.tags ?? [],
    parameters: toParameters(dto.parameters, dto.query_parameters) ?? [],
    isPrivate: dto.is_private ?? false,
  };
}

/** The changes that a body asks for; null counts as absent. */
export function toQueryChanges(dto: AlterQueryDto): QueryChanges {
  const changes = {
    name: dto.name,
    sql: dto.query_sql,
    description: dto.description,
    tags: dto.tags,
    parameters: toParameters(dto.parameters, dto.query_parameters),
    isPrivate: dto.is_private,
    isArchived: dto.is_archived,
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined && value !== null));
}
