import { ApiQuery } from '@nestjs/swagger';

/**
 * Documents `params.<name>` in the query string. OpenAPI knows no parameter whose name begins in a certain way: the next to it is an object
 * whose keys become parameters as they are.
 */
export function ApiParameterValues(purpose: string): MethodDecorator {
  return ApiQuery({
    name: 'params',
    required: false,
    style: 'form',
    explode: true,
    description: `${purpose}: each key is \`params.\` and the name of a parameter, a repeated one makes a list.`,
    schema: {
      type: 'object',
      additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    },
    example: { 'params.country': 'FR' },
  });
}
