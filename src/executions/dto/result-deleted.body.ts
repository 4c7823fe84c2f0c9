import { ApiProperty } from '@nestjs/swagger';
import { ErrorDocument } from '../../http/api-errors.decorator.js';
import { toWireState } from '../execution-state.js';
import { STATES } from '../execution-status.body.js';
import type { DeletedResult } from '../result-deletion.service.js';
import { EXECUTION_ID } from './execution-id.schema.js';

/** Reply of the call that deletes a result. */
export class ResultDeletedBody {
  @ApiProperty(EXECUTION_ID)
  execution_id!: string;

  @ApiProperty({
    enum: STATES,
    description: 'Unchanged if there was no stored result.',
    example: 'QUERY_STATE_EXPIRED',
  })
  state!: string;

  @ApiProperty({
    type: 'integer',
    description: "Bytes that no longer count towards the account's plan; 0 if there was no stored result.",
  })
  freed_bytes!: number;
}

/** The body of the error that stored results leave no room, for the OpenAPI document. */
export class ResultStorageFullDocument extends ErrorDocument {
  @ApiProperty({ type: 'integer', description: 'Bytes that the stored results of the account take.' })
  bytes_used!: number;

  @ApiProperty({ type: 'integer', description: "Bytes that the account's plan allows." })
  bytes_allowed!: number;
}

/** What was deleted, in the form of {@link ResultDeletedBody}. */
export function toResultDeletedBody({ executionId, state, freedBytes }: DeletedResult): ResultDeletedBody {
  return { execution_id: executionId, state: toWireState(state), freed_bytes: freedBytes };
}
