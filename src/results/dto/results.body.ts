import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ExecutionStatus } from '../../executions/execution.js';
import {
  ExecutionBody,
  IGNORED,
  NO_RESULT_STATES,
  ResultMetadataBody,
  toExecutionBody,
  toResultMetadata,
} from '../../executions/execution-status.body.js';
import { ErrorDocument } from '../../http/api-errors.decorator.js';
import type { Column } from '../../types/column.js';
import type { NextPage } from '../next-uri.js';
import type { Page } from '../page-reader.js';

/** Rows of a result, and what they are. */
export class ResultBody {
  @ApiProperty({ type: ResultMetadataBody })
  metadata!: ResultMetadataBody;

  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: { oneOf: [{ type: 'string', nullable: true }, { type: 'number' }, { type: 'boolean' }] },
    },
    description: 'One object per row, keyed by column name.',
  })
  rows!: object[];
}

/** Reply of the two JSON results calls. */
export class ResultsBody extends ExecutionBody {
  @ApiPropertyOptional({ type: ResultBody, description: 'Only if there is a stored result.' })
  result?: ResultBody;

  @ApiPropertyOptional({ type: 'integer', description: 'Only if a further page exists.' })
  next_offset?: number;

  @ApiPropertyOptional({ format: 'uri', description: 'Only if a further page exists.' })
  next_uri?: string;

  @ApiPropertyOptional({ type: [String], description: IGNORED })
  warnings?: string[];
}

/** The body of the failure to give a result as CSV, for the OpenAPI document. */
export class NoResultDocument extends ErrorDocument {
  @ApiProperty({ enum: NO_RESULT_STATES, description: 'State of the execution.' })
  state!: string;
}

/** The envelope of a page, with no rows in it; without a page, the status fields alone. */
export function toResultsBody(
  status: ExecutionStatus,
  warnings: string[] | undefined,
  shown?: { page: Page; columns: readonly Column[]; next: NextPage | undefined },
): ResultsBody {
  const body: ResultsBody = toExecutionBody(status);
  const { execution } = status;
  body.warnings = warnings;
  if (!execution.result || !shown) return body;
  const { page, columns, next } = shown;
  const { rowCount, sizeBytes } = page.header;
  // Before the rows, so that a client that parses a stream has the paging keys early.
  body.next_offset = next?.offset;
  body.next_uri = next?.uri;
  body.result = { metadata: toResultMetadata(execution, execution.result, { rowCount, sizeBytes, columns }), rows: [] };
  return body;
}
