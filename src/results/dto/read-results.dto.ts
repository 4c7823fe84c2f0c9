import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';

/** A parameter of the query string, as text; of a repeated one the last counts. `read-plan/` parses what it means. */
function Parameter(description: string, example?: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, description, example }),
    Transform(({ value }) => (Array.isArray(value) ? value.at(-1) : value)),
    Allow(),
  );
}

/** Query string of the four results endpoints. */
export class ReadResultsDto {
  @Parameter('Most rows to return. A value above the maximum of the server is lowered.', '100')
  limit?: string;

  @Parameter('First row, counted from 0.', '0')
  offset?: string;

  @Parameter(
    'Rows to return: criteria with `AND`, `OR`, parentheses, `IN (…)`, `LIKE`, `IS NULL`.',
    "size > 10 AND name IN ('a', 'b')",
  )
  filters?: string;

  @Parameter('Columns to return, separated by commas.', 'name,size')
  columns?: string;

  @Parameter('Order: columns separated by commas, each with `asc` or `desc`.', 'size desc,name')
  sort_by?: string;

  @Parameter('Return about this many rows, chosen at random. Not with `limit`, `offset` or `filters`.')
  sample_count?: string;

  @Parameter('Makes a sample repeatable: a whole number.')
  sample_seed?: string;

  @Parameter('`true` to read a result that was cut in storage.')
  allow_partial_results?: string;

  @Parameter('Another spelling of `allow_partial_results`.')
  allows_partial_results?: string;
}
