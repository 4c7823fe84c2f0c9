import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { Config } from '../config/config.js';
import { Ingest } from '../processes/ingest/ingest.js';
import { ingestOf } from '../processes/ingest/open-ingest.js';
import { IngestLifecycle } from './ingest-lifecycle.js';
import { RemovedPartsRepository } from './removed-parts.repository.js';
import { TableChangesRepository } from './table-changes.repository.js';
import { TableMerger } from './table-merger.js';
import { TablePartsService } from './table-parts.service.js';
import { TablesController } from './tables.controller.js';
import { TablesRepository } from './tables.repository.js';
import { TablesService } from './tables.service.js';
import { UploadSlots } from './upload-slots.js';
import { UploadsService } from './uploads.service.js';

/** The tables of accounts. */
@Module({
  imports: [AuthModule],
  controllers: [TablesController],
  providers: [
    IngestLifecycle,
    RemovedPartsRepository,
    TableChangesRepository,
    TableMerger,
    TablePartsService,
    TablesRepository,
    TablesService,
    UploadSlots,
    UploadsService,
    { provide: Ingest, inject: [Config], useFactory: (config: Config) => ingestOf(config) },
  ],
  exports: [Ingest, RemovedPartsRepository, TablesService],
})
export class UploadsModule {}
