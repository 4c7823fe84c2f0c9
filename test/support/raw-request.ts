import { once } from 'node:events';
import { connect } from 'node:net';

/** An answer as it came over the socket. */
export interface RawAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly text: string;
}

/**
 * Sends bytes that an HTTP client would not send, and reads the reply until the server closes the
 * connection.
 *
 * @param lines request line and headers; `Connection: close` is added, and `Host` if there is none.
 */
export async function sendRaw(serverUrl: string, lines: readonly string[], body = ''): Promise<RawAnswer> {
  const hostLine = lines.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${new URL(serverUrl).host}`];
  const finish = await beginRaw(serverUrl, [...lines, ...hostLine]);
  return await finish(body);
}

/**
 * Like {@link sendRaw}, but the empty line after the headers, and the body, come when the function
 * that it gives is called.
 */
export async function beginRaw(
  serverUrl: string,
  lines: readonly string[],
): Promise<(body?: string) => Promise<RawAnswer>> {
  const { hostname, port } = new URL(serverUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(lines.join('\r\n'));
  return async (body = '') => {
    socket.write(['', 'Connection: close', '', body].join('\r\n'));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const [head = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head, text: rest.join('\r\n\r\n') };
  };
}
