import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Account } from '../auth/account.js';
import type { AuthenticatedRequest } from '../auth/api-key.guard.js';
import type { ExecutionId } from '../catalog/ids.js';
import type { ParameterValues } from '../executions/execution.js';
import { signalOfClientGone } from '../http/client-gone.js';
import { noteRequest } from '../http/logger.js';
import type { ReadingClient } from '../processes/read/reading-client.js';

/** A results call as it arrived: who asks, from where, and with which query string. */
export interface ReadCall {
  readonly account: Account;
  readonly client: ReadingClient;
  /** The caller's own origin, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Repeated parameters are lists. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** Which answers the client has, by their `ETag`. */
  readonly ifNoneMatch: string | undefined;
  /** Whether only the headers are asked for. */
  readonly isHead: boolean;
  /** Adds the execution that is read to the log line of the request. */
  readonly noteExecution: (executionId: ExecutionId) => void;
}

const PARAMETER_PREFIX = 'params.';

/** Gives a controller method the results call that it answers. */
export const CurrentReadCall = createParamDecorator((_data: unknown, context: ExecutionContext): ReadCall => {
  const http = context.switchToHttp();
  return toReadCall(http.getRequest<AuthenticatedRequest>(), http.getResponse<FastifyReply>());
});

/** Values of `params.<name>` in the query string; a repeated one is a list, as stored. */
export function parameterValuesOf({ query }: ReadCall): ParameterValues {
  const named = Object.entries(query).filter(([name]) => name.startsWith(PARAMETER_PREFIX));
  return Object.fromEntries(
    named.map(([name, value]) => [name.slice(PARAMETER_PREFIX.length), [value].flat().join(',')]),
  );
}

export function toReadCall(request: AuthenticatedRequest, reply: FastifyReply): ReadCall {
  const { account, protocol, host, query } = request;
  return {
    account,
    client: { accountId: account.id, gone: signalOfClientGone(request, reply) },
    origin: `${protocol}://${host}`,
    query: query as ReadCall['query'],
    ifNoneMatch: request.headers['if-none-match'],
    isHead: request.method === 'HEAD',
    noteExecution: (execution) => noteRequest(request.raw, { execution }),
  };
}
