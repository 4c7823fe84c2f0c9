import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FAILURE_TYPES, type FailureType } from '../processes/run/run.js';
import { toWireTypeName } from '../types/wire-type-name.js';
import { EXECUTION_ID } from './dto/execution-id.schema.js';
import type { Execution, ExecutionStatus, StoredResult } from './execution.js';
import { EXECUTION_STATES, isFinished, toWireState } from './execution-state.js';

/** The states as they are written on the wire. */
export const STATES = EXECUTION_STATES.map(toWireState);

/** The states in which there is no result to read. */
export const NO_RESULT_STATES = STATES.filter((state) => !state.startsWith('QUERY_STATE_COMPLETED'));

/** What `warnings` are, in the replies that have them. */
export const IGNORED = 'Which parameters or fields of the request are unknown and were ignored. Absent if none.';

/** Reply of the calls that start an execution. */
export class ExecutionStartedBody {
  @ApiProperty(EXECUTION_ID)
  execution_id!: string;

  @ApiProperty({ enum: STATES, example: 'QUERY_STATE_PENDING' })
  state!: string;

  @ApiPropertyOptional({ type: [String], description: IGNORED })
  warnings?: string[];
}

/** Reply of a cancel. */
export class ExecutionCancelledBody {
  @ApiProperty({ description: 'False if the execution had finished already; nothing has changed then.' })
  success!: boolean;
}

/** A span of the text as it was saved, or sent, before values replace its parameters. */
export class FailurePositionBody {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1, description: 'From 1.' })
  line!: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 8, description: 'Character of the line, from 1.' })
  column!: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 7, description: 'From 0, in UTF-16 code units.' })
  offset!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 6,
    description: 'Of the token that stands there, in UTF-16 code units; 0 at the end of the text.',
  })
  length!: number;

  @ApiPropertyOptional({
    example: 'country',
    description: 'The parameter in whose value the failure stands: the other fields are those of its placeholder.',
  })
  parameter?: string;
}

/** Why an execution failed. */
export class FailureBody {
  @ApiProperty({ enum: FAILURE_TYPES })
  type!: FailureType;

  @ApiProperty({ description: "The engine's own words." })
  message!: string;

  @ApiPropertyOptional({ type: FailurePositionBody })
  metadata?: FailurePositionBody;
}

/** What a result holds. `row_count`, `result_set_bytes` and `datapoint_count` are the page's. */
export class ResultMetadataBody {
  @ApiProperty({ type: [String] })
  column_names!: string[];

  @ApiProperty({ type: [String], description: 'In the order of `column_names`.' })
  column_types!: string[];

  @ApiProperty({ type: 'integer' })
  row_count!: number;

  @ApiProperty({ type: 'integer', description: 'Rows of the whole stored result, filtered or not.' })
  total_row_count!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Logical bytes: the width of fixed-width values, the UTF-8 length of text, 0 for null.',
  })
  result_set_bytes!: number;

  @ApiProperty({ type: 'integer' })
  total_result_set_bytes!: number;

  @ApiProperty({ type: 'integer', description: 'Rows times columns.' })
  datapoint_count!: number;

  @ApiProperty({ type: 'integer' })
  pending_time_millis!: number;

  @ApiProperty({ type: 'integer' })
  execution_time_millis!: number;
}

/** Size of a result. */
export class ResultSizeBody {
  @ApiProperty({ type: 'integer', description: 'Equal to `total_result_set_bytes`.' })
  result_set_size!: number;
}

/** The fields that status and results bodies share. Keys that do not apply are absent. */
export class ExecutionBody {
  @ApiProperty(EXECUTION_ID)
  execution_id!: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: '0 for SQL that was sent directly.' })
  query_id!: number;

  @ApiProperty()
  is_execution_finished!: boolean;

  @ApiProperty({ enum: STATES })
  state!: string;

  @ApiProperty({ format: 'date-time' })
  submitted_at!: string;

  @ApiProperty({ format: 'date-time', description: 'When the stored result expires.' })
  expires_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  execution_started_at?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  execution_ended_at?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  cancelled_at?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Only while pending; 1 is next.' })
  queue_position?: number;

  @ApiPropertyOptional({ minimum: 0, maximum: 100, description: 'Only while executing, where the engine reports it.' })
  progress_percentage?: number;

  @ApiPropertyOptional({ type: FailureBody })
  error?: FailureBody;
}

/** Reply of the status call. */
export class ExecutionStatusBody extends ExecutionBody {
  @ApiPropertyOptional({ type: ResultMetadataBody })
  result_metadata?: ResultMetadataBody;

  @ApiPropertyOptional({ type: ResultSizeBody })
  result?: ResultSizeBody;
}

/** The reply to a start. */
export function toExecutionStartedBody({ id, state }: Execution, warnings?: string[]): ExecutionStartedBody {
  return { execution_id: id, state: toWireState(state), warnings };
}

/** The status fields of an execution, as every body about it begins. */
export function toExecutionBody({ execution, queuePosition, progressPercentage }: ExecutionStatus): ExecutionBody {
  return {
    execution_id: execution.id,
    query_id: execution.queryId ?? 0,
    is_execution_finished: isFinished(execution.state),
    state: toWireState(execution.state),
    submitted_at: execution.submittedAt.toISOString(),
    expires_at: execution.expiresAt.toISOString(),
    execution_started_at: execution.startedAt?.toISOString(),
    execution_ended_at: execution.endedAt?.toISOString(),
    cancelled_at: execution.cancelledAt?.toISOString(),
    queue_position: execution.state === 'PENDING' ? queuePosition : undefined,
    progress_percentage: execution.state === 'EXECUTING' ? progressPercentage : undefined,
    error: execution.failure && toFailureBody(execution.failure),
  };
}

/** The status body: the shared fields, and a description of the result if there is one. */
export function toExecutionStatusBody(status: ExecutionStatus): ExecutionStatusBody {
  const body: ExecutionStatusBody = toExecutionBody(status);
  const { execution } = status;
  if (!execution.result) return body;
  const { rowCount, logicalBytes } = execution.result;
  body.result_metadata = toResultMetadata(execution, execution.result, { rowCount, sizeBytes: logicalBytes });
  body.result = { result_set_size: logicalBytes };
  return body;
}

/** Rows that a metadata object describes. */
export interface DescribedRows {
  readonly rowCount: number;
  /** Logical size. */
  readonly sizeBytes: number;
  /** Columns among the result's; all of them if absent. */
  readonly columns?: StoredResult['columns'];
}

/** The metadata object of a page, or of the whole result. */
export function toResultMetadata(execution: Execution, result: StoredResult, rows: DescribedRows): ResultMetadataBody {
  const columns = rows.columns ?? result.columns;
  const { submittedAt, startedAt = submittedAt, endedAt = startedAt } = execution;
  return {
    column_names: columns.map((column) => column.name),
    column_types: columns.map((column) => toWireTypeName(column.type)),
    row_count: rows.rowCount,
    total_row_count: result.rowCount,
    result_set_bytes: rows.sizeBytes,
    total_result_set_bytes: result.logicalBytes,
    datapoint_count: rows.rowCount * columns.length,
    pending_time_millis: startedAt.getTime() - submittedAt.getTime(),
    execution_time_millis: endedAt.getTime() - startedAt.getTime(),
  };
}

function toFailureBody({ type, message, position }: NonNullable<Execution['failure']>): FailureBody {
  return { type, message, metadata: position };
}
