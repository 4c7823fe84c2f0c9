import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { Config } from '../config/config.js';

/** What a feature tells about the request under way, for its one log line. */
export interface RequestNotes {
  account?: string;
  execution?: string;
}

const notes = new WeakMap<IncomingMessage, RequestNotes>();
const bytesBefore = new WeakMap<IncomingMessage, number>();

/** Adds to the log line of a request. */
export function noteRequest(request: IncomingMessage, more: RequestNotes): void {
  notes.set(request, { ...notes.get(request), ...more });
}

/**
 * JSON logs: one line a request with its id, account, execution, time and bytes. The path is logged without its query string, which can
 * hold a key or the values of a filter; headers and bodies are not logged at all.
 */
export function loggerParams(config: Config): Params {
  return {
    pinoHttp: {
      level: config.LOG_LEVEL,
      messageKey: 'message',
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { req: () => undefined, res: () => undefined },
      customAttributeKeys: { responseTime: 'elapsed_ms' },
      autoLogging: { ignore: (request) => (request.url ?? '').startsWith('/health') },
      customProps: (request, response) => describeRequest(request, response),
      customSuccessMessage: () => 'request',
      customErrorMessage: () => 'request failed',
      customErrorObject: (_request, _response, _error, { err: _, ...value }: { err?: unknown }) => value,
      customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
    },
  };
}

function describeRequest(request: IncomingMessage, response: ServerResponse): object {
  const written = request.socket.bytesWritten;
  if (!response.writableEnded) {
    bytesBefore.set(request, written);
    return {};
  }
  return {
    request_id: (request as { id?: unknown }).id,
    method: request.method,
    path: pathOf(request),
    status: response.statusCode,
    bytes: written - (bytesBefore.get(request) ?? 0),
    ...notes.get(request),
  };
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}
