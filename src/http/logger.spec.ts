import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { Options } from 'pino-http';
import { Config } from '../config/config.js';
import { loggerParams } from './logger.js';

describe('loggerParams', () => {
  const { customLogLevel } = loggerParams(new Config()).pinoHttp as Options;

  it.each([
    [200, 'info'],
    [404, 'info'],
    [503, 'warn'],
    [500, 'error'],
    [507, 'error'],
  ])('logs an answer with status %s at level %s', (statusCode, level) => {
    const response = { statusCode, writableFinished: true } as ServerResponse;
    expect(customLogLevel?.({} as IncomingMessage, response)).toBe(level);
  });
});
