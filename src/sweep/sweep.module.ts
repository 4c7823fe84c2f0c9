import { Module } from '@nestjs/common';
import { ExecutionsModule } from '../executions/executions.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { OrphanSweep } from './orphan-sweep.js';
import { OrphansRepository } from './orphans.repository.js';
import { ResultSweep } from './result-sweep.js';
import { SweepJob } from './sweep.job.js';
import { SweepService } from './sweep.service.js';
import { TableSweep } from './table-sweep.js';

/** Expiry of results and of parts of tables. */
@Module({
  imports: [ExecutionsModule, UploadsModule],
  providers: [OrphanSweep, OrphansRepository, ResultSweep, SweepJob, SweepService, TableSweep],
})
export class SweepModule {}
