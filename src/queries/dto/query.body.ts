import { ApiProperty } from '@nestjs/swagger';
import { ParameterBody, toParameterBody } from '../parameter.dto.js';
import type { QueryPage } from '../queries.service.js';
import type { Query } from '../query.js';
import { parametersOf } from '../substitute-parameters.js';

/** Reply of the calls that save or alter a query. */
export class QueryIdBody {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  query_id!: number;
}

/** A saved query. */
export class QueryBody extends QueryIdBody {
  @ApiProperty({ example: 'Orders by country' })
  name!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ type: [String] })
  tags!: readonly string[];

  @ApiProperty({ type: 'integer', description: 'From 1; one more with each new text or list of parameters.' })
  version!: number;

  @ApiProperty({ type: [ParameterBody], description: 'Those declared, then those that stand in the text only.' })
  parameters!: ParameterBody[];

  @ApiProperty({ example: 'duckdb' })
  query_engine!: string;

  @ApiProperty()
  query_sql!: string;

  @ApiProperty()
  is_private!: boolean;

  @ApiProperty()
  is_archived!: boolean;

  @ApiProperty({ description: 'Always false: there are no drafts.' })
  is_unsaved!: boolean;

  @ApiProperty({ description: 'Handle of the account that owns it.', example: 'ada' })
  owner!: string;
}

/** A query in a list. */
export class ListedQueryBody {
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty()
  owner!: string;

  @ApiProperty({ type: [String] })
  tags!: readonly string[];

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

/** Some of the queries that match. */
export class QueryListBody {
  @ApiProperty({ type: [ListedQueryBody] })
  queries!: ListedQueryBody[];

  @ApiProperty({ type: 'integer', description: 'How many match in all.' })
  total!: number;
}

/** A query in the form of {@link QueryBody}. */
export function toQueryBody(query: Query): QueryBody {
  return {
    query_id: query.id,
    name: query.name,
    description: query.description,
    tags: query.tags,
    version: query.version,
    parameters: parametersOf(query.sql, query.parameters).map(toParameterBody),
    query_engine: 'duckdb',
    query_sql: query.sql,
    is_private: query.isPrivate,
    is_archived: query.isArchived,
    is_unsaved: false,
    owner: query.owner,
  };
}

/** A page in the form of {@link QueryListBody}. */
export function toQueryListBody({ queries, total }: QueryPage): QueryListBody {
  return { queries: queries.map(toListedQueryBody), total };
}

function toListedQueryBody({ id, name, description, owner, tags, createdAt, updatedAt }: Query): ListedQueryBody {
  return {
    id,
    name,
    description,
    owner,
    tags,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
