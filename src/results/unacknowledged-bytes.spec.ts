import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../test/support/until.js';
import { unacknowledgedBytes } from './unacknowledged-bytes.js';

/** Addresses of services and of their clients; the last is IPv4 written as IPv6. */
const PATHS = existsSync('/proc/net/if_inet6')
  ? [
      ['127.0.0.1', '127.0.0.1'],
      ['::1', '::1'],
      ['::', '127.0.0.1'],
    ]
  : [['127.0.0.1', '127.0.0.1']];

describe('unacknowledgedBytes', () => {
  it.each(PATHS)('is what the client has not taken yet: a service at %s, a client at %s', async (host, address) => {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, address);
    const [socket] = (await once(server, 'connection')) as [Socket];
    expect(await unacknowledgedBytes(socket)).toBe(0);
    // More than the buffers of both sides hold.
    socket.write(Buffer.alloc(16 * 2 ** 20));
    await until(async () => ((await unacknowledgedBytes(socket)) ?? 0) > 0);
    client.resume();
    await until(() => socket.writableLength === 0);
    await until(async () => (await unacknowledgedBytes(socket)) === 0);
    client.destroy();
    await once(socket, 'close');
    server.close();
  });

  it('is unknown of a connection that is not there', async () => {
    const gone = { localAddress: '127.0.0.1', localPort: 1, remoteAddress: '127.0.0.1', remotePort: 1 } as Socket;
    expect(await unacknowledgedBytes(gone)).toBeUndefined();
  });
});
