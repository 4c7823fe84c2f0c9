import { Readable } from 'node:stream';
import compress from '@fastify/compress';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { sendRaw } from '../../test/support/raw-request.js';
import { InvalidRequestError } from './common.errors.js';
import { ErrorFilter, toErrorReply } from './error.filter.js';

/** Every header that a success of this service can have. */
const SUCCESS_HEADERS = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="result.csv"',
  'cache-control': 'max-age=60',
  etag: '"1"',
  'last-modified': 'Tue, 10 Mar 2026 10:00:00 GMT',
  'x-service-next-offset': '100',
  'x-acme-next-uri': 'https://sql.example.org/api/v1/execution/1/results/csv?offset=100',
};

@Controller()
class FailingController {
  @Get()
  fail(@Res() reply: FastifyReply): void {
    const failing = new Readable({ read: () => failing.destroy(new Error('broken')) });
    void reply.headers(SUCCESS_HEADERS).send(failing);
  }
}

@Module({ controllers: [FailingController] })
class FailingModule {}

describe('ErrorFilter', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(FailingModule, new FastifyAdapter(), { logger: false });
    app.useGlobalFilters(new ErrorFilter());
    app.enableCors({ origin: 'https://app.example.org', exposedHeaders: ['x-service-next-uri'] });
    await app.register(compress, { encodings: ['br', 'gzip', 'identity'] });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  it.each(['identity', 'gzip', 'br'])(
    'drops the headers of a success whose stream fails before its first byte: %s',
    async (encoding) => {
      const lines = ['GET / HTTP/1.1', `Accept-Encoding: ${encoding}`, 'Origin: https://app.example.org'];
      const { status, head, text } = await sendRaw(await app.getUrl(), lines);
      expect(status).toBe(500);
      const headers = Object.fromEntries(
        head
          .toLowerCase()
          .split('\r\n')
          .flatMap((line) => (line.includes(': ') ? [line.split(': ')] : [])),
      );
      delete headers.vary;
      expect(headers).toEqual({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(text.length),
        'access-control-allow-origin': 'https://app.example.org',
        'access-control-expose-headers': 'x-service-next-uri',
        date: expect.any(String),
        connection: 'close',
      });
      expect(JSON.parse(text)).toMatchObject({ error: 'An internal error occurred', code: 'internal' });
    },
  );
});

describe('toErrorReply', () => {
  it('cuts a sentence that names very much', () => {
    const { body } = toErrorReply(new InvalidRequestError('a'.repeat(5_000)), 'request');
    expect(body).toEqual({ error: `${'a'.repeat(2_000)}…`, code: 'invalid_request' });
  });
});
