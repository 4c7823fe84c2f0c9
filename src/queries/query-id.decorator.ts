import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ParseQueryId } from './parse-query-id.pipe.js';

const SCHEMA = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

/** The `query_id` of a path: checked by {@link ParseQueryId}, and an integer in the OpenAPI document. */
export function QueryId(): ParameterDecorator {
  return (controller, method, index) => {
    if (method === undefined) throw new Error('A constructor has no path');
    Param('query_id', ParseQueryId)(controller, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(controller, method);
    if (descriptor) ApiParam({ name: 'query_id', example: 1, schema: SCHEMA })(controller, method, descriptor);
  };
}
