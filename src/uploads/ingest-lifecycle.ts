import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Ingest } from '../processes/ingest/ingest.js';
import { stagingFolder } from '../processes/ingest/open-ingest.js';
import { sweepStaging } from '../processes/ingest/staging.js';
import { TableMerger } from './table-merger.js';

/**
 * Prepares the ingest when the service starts: deletes what a crash left in the staging folder, and
 * resumes the merges that it interrupted. Ends it when the service stops.
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
    await this.merger.enqueueAll();
  }

  /** After the connections: requests in flight have had their time. */
  async onApplicationShutdown(): Promise<void> {
    await this.ingest.close();
  }
}
