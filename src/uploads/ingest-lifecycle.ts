import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Ingest } from '../processes/ingest/ingest.js';
import { stagingFolder } from '../processes/ingest/open-ingest.js';
import { sweepStaging } from '../processes/ingest/staging.js';
import { TableMerger } from './table-merger.js';

/**
 * Prepares the ingest with the service: clears the remains of a crash away, and takes up merges that it cut off. Ends it when nobody needs it
 * any more.
 */
@Injectable()
export class IngestLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly config: Config,
    private readonly ingest: Ingest,
    private readonly merger: TableMerger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await sweepStaging(stagingFolder(this.config));
    await this.merger.offerAll();
  }

  /** After the connections: requests in flight have had their time. */
  async onApplicationShutdown(): Promise<void> {
    await this.ingest.close();
  }
}
