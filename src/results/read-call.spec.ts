import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { until } from '../../test/support/until.js';
import type { AuthenticatedRequest } from '../auth/api-key.guard.js';
import type { ReadingClient } from '../processes/read/reading-client.js';
import { toReadCall } from './read-call.decorator.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('toReadCall', () => {
  let server: FastifyInstance;
  let socket: Socket;
  let calls: { client: ReadingClient; reply: FastifyReply }[];

  beforeEach(async () => {
    calls = [];
    server = fastify({ forceCloseConnections: true });
    server.get('/', (request, reply) => {
      Object.assign(request, { account: { id: 'ada' } });
      calls.push({ client: toReadCall(request as AuthenticatedRequest, reply).client, reply });
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  });
  afterEach(async () => {
    socket.destroy();
    await server.close();
  });

  it('is gone when its connection is closed, whether or not its answer was the next one', async () => {
    socket.write(REQUEST.repeat(2));
    await until(() => calls.length === 2);
    expect(calls.map(({ client }) => [client.accountId, client.gone.aborted])).toEqual([
      ['ada', false],
      ['ada', false],
    ]);
    socket.destroy();
    await until(() => calls.every(({ client }) => client.gone.aborted));
  });

  it('is not gone once it has its answer', async () => {
    socket.write(REQUEST);
    await until(() => calls.length === 1);
    const [call] = calls;
    const answered = once(call?.reply.raw as NodeJS.EventEmitter, 'close');
    void call?.reply.send('answer');
    await answered;
    const connection = call?.reply.request.raw.socket as Socket;
    socket.resume().end();
    await once(connection, 'close');
    expect(call?.client.gone.aborted).toBe(false);
  });
});
