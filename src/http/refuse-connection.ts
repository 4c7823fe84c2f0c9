import type { Socket } from 'node:net';

const MALFORMED = { status: '400 Bad Request', error: 'The request is malformed', code: 'malformed_request' };

/** By the code of Node's own error. */
const CONNECTION_REFUSALS: Readonly<Record<string, typeof MALFORMED>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'The headers of the request are too large',
    code: 'headers_too_large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: 'The request did not arrive in time',
    code: 'request_timeout',
  },
};

/** How long a client has to take the answer. */
const LINGER_MS = 2_000;

/** Answers what could not be read as HTTP, so that there is no request to reply to. */
export function refuseConnection({ code }: { code?: string }, socket: Socket): void {
  const { status, ...body } = CONNECTION_REFUSALS[code ?? ''] ?? MALFORMED;
  const text = JSON.stringify(body);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close`;
  if (!socket.writable) return void socket.destroy();
  socket.end(`${head}\r\n\r\n${text}`);
  // A client that never closes its side would keep the connection.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
