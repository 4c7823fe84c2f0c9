import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { PARAMETER_VALUE } from '../../queries/parameter.dto.js';

/** Documents what a caller may choose of a run in the query string, where the body does not. */
export function ApiRunChoices(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'performance',
      required: false,
      type: String,
      description: 'As in the body, which wins.',
      example: 'medium',
    }),
    ApiQuery({
      name: 'query_parameters',
      required: false,
      description: 'As in the body, which wins, as the text of a JSON object.',
      content: {
        'application/json': {
          schema: { type: 'object', additionalProperties: PARAMETER_VALUE },
          example: { country: 'FR' },
        },
      },
    } as Parameters<typeof ApiQuery>[0]),
  );
}
