import { ApiProperty, ApiPropertyOptional, OmitType, PickType } from '@nestjs/swagger';
import type { NamedExecution } from '../execution-list.repository.js';
import type { ExecutionPage } from '../execution-list.service.js';
import { toWireState } from '../execution-state.js';
import { ExecutionBody, FailureBody } from '../execution-status.body.js';
import { TRIGGERS, type Trigger } from '../origin.js';

/** Why a listed execution failed. */
export class ListedFailureBody extends OmitType(FailureBody, ['metadata']) {}

const SHARED = [
  'execution_id',
  'query_id',
  'state',
  'submitted_at',
  'execution_started_at',
  'execution_ended_at',
] as const;

/** An execution in a list. Keys that do not apply are absent. */
export class ListedExecutionBody extends PickType(ExecutionBody, SHARED) {
  @ApiPropertyOptional({ description: 'Name of the query as it is now, if the account may read the query.' })
  query_name?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'The version of the query that was run.' })
  query_version?: number;

  @ApiProperty({ enum: TRIGGERS, description: 'What started it.' })
  trigger!: Trigger;

  @ApiProperty({ description: "Name of the API key; the account's handle if a command of the program started it." })
  submitted_by!: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Once it has begun and ended.' })
  execution_time_millis?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Rows of the stored result.' })
  row_count?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Logical bytes of the stored result.' })
  result_set_bytes?: number;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Values of its parameters by name; those of a list are joined by commas.',
  })
  query_parameters?: Readonly<Record<string, string>>;

  @ApiPropertyOptional({ type: ListedFailureBody })
  error?: ListedFailureBody;
}

/** Some of the account's executions. */
export class ExecutionListBody {
  @ApiProperty({ type: [ListedExecutionBody] })
  executions!: ListedExecutionBody[];

  @ApiPropertyOptional({ type: 'integer', description: 'Only if a further page exists.' })
  next_offset?: number;

  @ApiProperty({ type: 'integer', description: 'How many match in all.' })
  total!: number;
}

/** A page in the form of {@link ExecutionListBody}. */
export function toExecutionListBody({ executions, nextOffset, total }: ExecutionPage): ExecutionListBody {
  return { executions: executions.map(toListedExecutionBody), next_offset: nextOffset, total };
}

function toListedExecutionBody(execution: NamedExecution): ListedExecutionBody {
  const { startedAt, endedAt, failure, result, parameters } = execution;
  return {
    execution_id: execution.id,
    query_id: execution.queryId ?? 0,
    query_name: execution.queryName,
    query_version: execution.queryVersion,
    state: toWireState(execution.state),
    trigger: execution.origin.trigger,
    submitted_by: execution.origin.submittedBy,
    submitted_at: execution.submittedAt.toISOString(),
    execution_started_at: startedAt?.toISOString(),
    execution_ended_at: endedAt?.toISOString(),
    execution_time_millis: startedAt && endedAt && endedAt.getTime() - startedAt.getTime(),
    row_count: result?.rowCount,
    result_set_bytes: result?.logicalBytes,
    query_parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
    error: failure && { type: failure.type, message: failure.message },
  };
}
