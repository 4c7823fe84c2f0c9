import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { TableChangesRepository } from './table-changes.repository.js';
import { TablesRepository } from './tables.repository.js';
import { TablesService } from './tables.service.js';

/** The tables of accounts. */
@Module({
  imports: [AuthModule],
  providers: [TableChangesRepository, TablesRepository, TablesService],
  exports: [TablesService, TablesRepository],
})
export class UploadsModule {}
