import type { Server } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/config.js';

/** Cuts the connections of requests that are not answered `SHUTDOWN_GRACE` after a shutdown has begun, so that no slow client holds it up. */
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
    this.timer = setTimeout(() => server.closeAllConnections(), this.config.SHUTDOWN_GRACE);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }
}
