import type { Server } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/config.js';

/**
 * Ends connections on shutdown, each once its request in flight is answered. Those that `SHUTDOWN_GRACE` was not enough for are cut, so
 * that no slow client holds the shutdown up.
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
    // A connection that had a request in flight would be kept for another, and the server wait for it. Node takes 0 for no limit.
    server.keepAliveTimeout = 1;
    server.keepAliveTimeoutBuffer = 0;
    this.timer = setTimeout(() => server.closeAllConnections(), this.config.SHUTDOWN_GRACE);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }
}
