import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Params } from 'nestjs-pino';
import type { Config } from '../config/config.js';
import { errorDescriber } from '../config/describe-error.js';

/** Longer than any path of the service. */
const MAX_PATH_LENGTH = 300;

/** What a feature adds to the one log line of a request. */
export interface RequestNotes {
  account?: string;
  execution?: string;
}

const notes = new WeakMap<IncomingMessage, RequestNotes>();

/** A connection, and what was written to it before a request came: it can carry several. */
interface Written {
  readonly socket: Socket;
  readonly bytesBefore: number;
}

const written = new WeakMap<IncomingMessage, Written>();

/** Adds to the log line of a request. */
export function noteRequest(request: IncomingMessage, more: RequestNotes): void {
  notes.set(request, { ...notes.get(request), ...more });
}

/**
 * JSON logs: one line a request with its id, account, execution, time and bytes, and which side cut
 * an answer that was not sent whole. Query strings, headers and bodies are not logged.
 */
export function loggerParams(config: Config): Params {
  return {
    pinoHttp: {
      level: config.LOG_LEVEL,
      messageKey: 'message',
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { req: () => undefined, res: () => undefined, err: errorDescriber(config) },
      customAttributeKeys: { responseTime: 'elapsed_ms' },
      autoLogging: { ignore: (request) => pathOf(request).startsWith('/health') },
      customProps: (request, response) => describeRequest(request, response),
      customSuccessMessage: () => 'request',
      customErrorMessage: () => 'request failed',
      customErrorObject: (_request, _response, _error, { err: _, ...value }: { err?: unknown }) => value,
      customLogLevel: levelOf,
    },
  };
}

function describeRequest(request: IncomingMessage, response: ServerResponse): object {
  if (!written.has(request)) {
    // A request can have lost its socket when it is over, so it is kept from the start.
    written.set(request, { socket: request.socket, bytesBefore: request.socket.bytesWritten });
    return {};
  }
  return {
    request_id: (request as { id?: unknown }).id,
    method: request.method,
    path: pathOf(request).slice(0, MAX_PATH_LENGTH),
    status: response.statusCode,
    bytes: bytesWrittenFor(request),
    cut_by: findWhoCut(request, response),
    ...notes.get(request),
  };
}

/** A 503 is the answer of a busy or stopping service: a warning. */
function levelOf(request: IncomingMessage, response: ServerResponse, error?: Error): 'info' | 'warn' | 'error' {
  if (response.statusCode === 503) return 'warn';
  if (error || response.statusCode >= 500) return 'error';
  return findWhoCut(request, response) === 'server' ? 'warn' : 'info';
}

/**
 * Who ended the connection before the whole answer was sent. A client that leaves ends its side, or
 * breaks the connection.
 */
function findWhoCut(request: IncomingMessage, response: ServerResponse): 'client' | 'server' | undefined {
  if (response.writableFinished) return undefined;
  const { socket } = written.get(request) ?? {};
  return socket?.readableEnded || socket?.errored ? 'client' : 'server';
}

function bytesWrittenFor(request: IncomingMessage): number {
  const { socket, bytesBefore } = written.get(request) ?? {};
  return socket ? socket.bytesWritten - (bytesBefore ?? 0) : 0;
}

function pathOf(request: IncomingMessage): string {
  // In middleware, `url` lacks the part of the path that the middleware is mounted at.
  const { originalUrl = request.url ?? '' } = request as { originalUrl?: string };
  return originalUrl.split('?', 1)[0] ?? '';
}
