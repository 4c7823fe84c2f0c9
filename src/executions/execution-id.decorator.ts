import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { EXECUTION_ID } from './dto/execution-id.schema.js';

/** Letters can be in either case. */
const PATTERN = '^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$';

/** The `execution_id` of a path, as it was written. */
export function ExecutionId(): ParameterDecorator {
  return (controller, method, index) => {
    if (method === undefined) throw new Error('A constructor has no path');
    Param('execution_id')(controller, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(controller, method);
    if (!descriptor) return;
    const { example, description } = EXECUTION_ID;
    const schema = { type: 'string', pattern: PATTERN } as const;
    ApiParam({ name: 'execution_id', description, example, schema })(controller, method, descriptor);
  };
}
