import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { OptionalWait } from '../../executions/optional-wait.decorator.js';
import { warningsOf } from '../../http/ignored-names.js';
import { MAY_BE_EMPTY, OptionalFlag } from '../../http/validation.js';
import type { ReadCall } from '../read-call.decorator.js';
import type { ResultRequest } from '../results.service.js';

/** What the text of a parameter must be, for the OpenAPI document. */
interface ParameterSchema {
  type: 'string' | 'integer';
  minimum?: number;
  example?: unknown;
}

/** A parameter of the query string, as text. `read-plan/` parses what it means. */
function Parameter(description: string, schema: ParameterSchema = { type: 'string' }): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ ...schema, ...MAY_BE_EMPTY, description }), Allow());
}

/** Query string of the JSON results endpoints. */
export class ReadResultsDto {
  @Parameter('Most rows to return. A value above the maximum of the server is lowered.', {
    type: 'integer',
    minimum: 0,
    example: 100,
  })
  limit?: string;

  @Parameter('First row, counted from 0.', { type: 'integer', minimum: 0 })
  offset?: string;

  @Parameter('Rows to return: criteria with `AND`, `OR`, parentheses, `IN (…)`, `LIKE`, `IS NULL`.', {
    type: 'string',
    example: "size > 10 AND name IN ('a', 'b')",
  })
  filters?: string;

  @Parameter('Columns to return, separated by commas.', { type: 'string', example: 'name,size' })
  columns?: string;

  @Parameter('Order: columns separated by commas, each with `asc` or `desc`.', {
    type: 'string',
    example: 'size desc,name',
  })
  sort_by?: string;

  @Parameter('Return about this many rows, chosen at random. Not with `limit`, `offset` or `filters`.', {
    type: 'integer',
    minimum: 0,
  })
  sample_count?: string;

  @Parameter('Makes a sample repeatable: a whole number.', { type: 'integer' })
  sample_seed?: string;

  @Parameter('Sends the answer as a file of this name (`Content-Disposition`).', { type: 'string', example: 'orders' })
  download?: string;

  @OptionalFlag({ description: '`true` to read a result that was cut in storage.' })
  allow_partial_results?: boolean;

  @OptionalFlag({ description: 'Another spelling of `allow_partial_results`.' })
  allows_partial_results?: boolean;
}

/** Query string of the CSV results endpoints. */
export class ReadCsvDto extends ReadResultsDto {
  @Parameter('How NULL is written, such as `NULL` or `\\N`: without quotes, which a value that is equal to it has.', {
    type: 'string',
    example: 'NULL',
  })
  csv_null?: string;
}

/** Query string of the JSON results of an execution, which may not have ended yet. */
export class ReadExecutionResultsDto extends ReadResultsDto {
  @OptionalWait()
  wait_seconds?: number;
}

/** Query string of the CSV result of an execution, which may not have ended yet. */
export class ReadExecutionCsvDto extends ReadCsvDto {
  @OptionalWait()
  wait_seconds?: number;
}

/** What a call asks of a result. */
export function toResultRequest(dto: ReadCsvDto, call: ReadCall): ResultRequest {
  const { limit, offset, filters, columns, sort_by: sortBy, csv_null: csvNull } = dto;
  const { sample_count: sampleCount, sample_seed: sampleSeed } = dto;
  return {
    ...call,
    read: { limit, offset, filters, columns, sortBy, sampleCount, sampleSeed, csvNull },
    allowPartial: dto.allow_partial_results === true || dto.allows_partial_results === true,
    warnings: warningsOf(dto),
  };
}
