import type { Server } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/config.js';

/**
 * Ends connections on shutdown, each once its request in flight is answered, and all of them after
 * `SHUTDOWN_GRACE`.
 */
@Injectable()
export class ConnectionCloser implements BeforeApplicationShutdown, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Just before the server stops accepting; it waits for requests in flight then. */
  beforeApplicationShutdown(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    // Otherwise a connection would stay open for another request. Node takes 0 for no limit.
    server.keepAliveTimeout = 1;
    server.keepAliveTimeoutBuffer = 0;
    this.timer = setTimeout(() => server.closeAllConnections(), this.config.SHUTDOWN_GRACE);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }
}
