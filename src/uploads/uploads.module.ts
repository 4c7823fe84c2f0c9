import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { RemovedPartsRepository } from './removed-parts.repository.js';
import { TableChangesRepository } from './table-changes.repository.js';
import { TableSweepService } from './table-sweep.service.js';
import { TablesRepository } from './tables.repository.js';
import { TablesService } from './tables.service.js';

/** The tables of accounts. */
@Module({
  imports: [AuthModule],
  providers: [RemovedPartsRepository, TableChangesRepository, TableSweepService, TablesRepository, TablesService],
  exports: [TablesService, TableSweepService],
})
export class UploadsModule {}
