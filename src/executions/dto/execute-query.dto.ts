import { Allow } from 'class-validator';
import { MAX_STATEMENT_BYTES } from '../../duckdb/statement-size.js';
import { OptionalNamedValues, OptionalText, SizedText } from '../../http/validation.js';
import { PARAMETER_VALUE } from '../../queries/parameter.dto.js';
import { WaitDto } from './wait.dto.js';

/** What a caller may choose of a run. The query string takes the same names; the body wins. */
export class ExecuteQueryDto {
  /** Values of the query's parameters by name: text, number, or a list of texts. */
  @OptionalNamedValues({
    description: 'Values of the parameters, by name: text, number, or a list of these; null is the default.',
    values: PARAMETER_VALUE,
    example: { country: 'FR' },
  })
  query_parameters?: Record<string, unknown>;

  /** Resource class; words that this service does not know count as `medium`. */
  @OptionalText({
    maxLength: 50,
    description: 'Resource class: `medium` or `large`; any other word counts as `medium`.',
    example: 'medium',
  })
  performance?: string;
}

/** SQL to run without saving it. */
export class ExecuteSqlDto extends ExecuteQueryDto {
  /** One SELECT statement. */
  @SizedText({
    maxBytes: MAX_STATEMENT_BYTES,
    description: 'One SELECT statement.',
    example: "SELECT 42 AS answer, '{{country}}' AS country",
  })
  sql!: string;
}

/** Query string of the calls that start an execution, besides `params.<name>`. */
export class ExecuteInQueryDto extends WaitDto {
  @Allow()
  query_parameters?: string;

  @Allow()
  performance?: string;
}
