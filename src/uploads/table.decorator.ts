import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { pathParameter } from '../http/path-parameter.js';
import type { TableName } from './table.js';

const FromPath = createParamDecorator((_data: unknown, context: ExecutionContext): TableName => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest>();
  const { namespace = '', table: name = '' } = params as { namespace?: string; table?: string };
  return { namespace, name };
});

/** The table that a path names. */
export function TableParam(): ParameterDecorator {
  return pathParameter(FromPath(), { name: 'namespace', type: String }, { name: 'table', type: String });
}
