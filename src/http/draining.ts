import type { Server, ServerResponse } from 'node:http';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Config } from '../config/config.js';
import { StoppingError } from './common.errors.js';
import { isHealthPath } from './health-path.js';
import { rejectAndClose } from './reject-and-close.js';

/** How often connections are cut that still come once the time of those in flight is over. */
const CUT_INTERVAL_MS = 100;

/**
 * Whether the service is stopping, and which requests it still answers. While it drains, the server
 * listens: health is answered, other requests get a 503, and those in flight have `SHUTDOWN_GRACE`.
 */
@Injectable()
export class Draining implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #inFlight = new Set<ServerResponse>();
  readonly #answered = Promise.withResolvers<void>();
  readonly #begun = new AbortController();
  #graceTimer: NodeJS.Timeout | undefined;
  #cutTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost,
  ) {
    this.#observe(host.httpAdapter.getInstance());
  }

  /** Whether the service has begun to stop. */
  get hasBegun(): boolean {
    return this.signal.aborted;
  }

  /** Aborted once the service has begun to stop. */
  get signal(): AbortSignal {
    return this.#begun.signal;
  }

  /** How many requests are being answered, besides those for health. */
  get requestsInFlight(): number {
    return this.#inFlight.size;
  }

  /** Begins to stop; called once more, it changes nothing. */
  begin(): void {
    if (this.hasBegun) return;
    this.#begun.abort();
    const server = this.host.httpAdapter.getHttpServer() as Server;
    // Otherwise a connection would stay open for another request. Node takes 0 for no limit.
    server.keepAliveTimeout = 1;
    server.keepAliveTimeoutBuffer = 0;
    this.#graceTimer = setTimeout(() => this.#cut(server), this.config.SHUTDOWN_GRACE);
    this.#settle();
  }

  onModuleDestroy(): void {
    this.begin();
  }

  /** Just before the server stops listening. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#answered.promise;
  }

  onApplicationShutdown(): void {
    clearTimeout(this.#graceTimer);
    clearInterval(this.#cutTimer);
  }

  #observe(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', async (request, reply) => {
      if (isHealthPath(request.url)) return;
      if (this.hasBegun) return await rejectAndClose(request, reply, new StoppingError());
      const { raw: response } = reply;
      this.#inFlight.add(response);
      // The plugins, the logger and the reads of results listen as well: ten in all.
      response.setMaxListeners(response.getMaxListeners() + 1).once('close', () => {
        this.#inFlight.delete(response);
        this.#settle();
      });
    });
    fastify.addHook('onSend', async (_request, reply) => {
      if (this.hasBegun) reply.header('connection', 'close');
    });
  }

  #settle(): void {
    if (this.hasBegun && this.#inFlight.size === 0) this.#answered.resolve();
  }

  #cut(server: Server): void {
    server.closeAllConnections();
    this.#cutTimer = setInterval(() => server.closeAllConnections(), CUT_INTERVAL_MS);
  }
}
