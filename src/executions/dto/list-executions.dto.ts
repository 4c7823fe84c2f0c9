import type { QueryId } from '../../catalog/ids.js';
import { listPageDto } from '../../http/list-page.js';
import { OptionalChoice, OptionalInstant, OptionalInt } from '../../http/validation.js';
import type { ExecutionFilter } from '../execution-list.repository.js';
import type { ExecutionState } from '../execution-state.js';
import { STATES } from '../execution-status.body.js';
import { TRIGGERS, type Trigger } from '../origin.js';

const Paged = listPageDto({ noun: { one: 'execution', many: 'executions' }, min: 1, byDefault: 20, max: 100 });
const STATE_PREFIX = 'QUERY_STATE_';

/** Which of the account's executions to list. */
export class ListExecutionsDto extends Paged {
  @OptionalInt({ min: 0, description: 'Executions of this query only; 0 for SQL that was sent directly.' })
  query_id?: number;

  @OptionalChoice(STATES, { description: 'Executions in this state only.' })
  state?: string;

  @OptionalChoice(TRIGGERS, { description: 'Executions that were started from here only.' })
  trigger?: Trigger;

  @OptionalInstant({
    description: 'Executions submitted at this instant or later only; a date is its midnight in UTC.',
    example: '2026-03-01T10:20:30Z',
  })
  since?: string;
}

/** The filter that a query string asks for. */
export function toExecutionFilter({ query_id, state, trigger, since }: ListExecutionsDto): ExecutionFilter {
  return {
    queryId: query_id as QueryId | undefined,
    state: state?.slice(STATE_PREFIX.length) as ExecutionState | undefined,
    trigger,
    since: since === undefined ? undefined : new Date(since),
  };
}
