import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Ingest } from './ingest/ingest.js';
import { sweepStaging } from './ingest/staging.js';
import { stagingFolder } from './open-ingest.js';

/** Starts the ingest with the service, after the remains of a crash are gone, and ends it when nobody needs it any more. */
@Injectable()
export class IngestLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly config: Config,
    private readonly ingest: Ingest,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await sweepStaging(stagingFolder(this.config));
    await this.ingest.open();
  }

  /** After the connections: requests in flight have had their time. */
  async onApplicationShutdown(): Promise<void> {
    await this.ingest.close();
  }
}
