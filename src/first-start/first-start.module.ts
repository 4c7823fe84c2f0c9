import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { QueriesModule } from '../queries/queries.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { FirstStart } from './first-start.js';
import { FirstStartRepository } from './first-start.repository.js';
import { SampleData } from './sample-data.js';

/** What a new data folder begins with. */
@Module({
  imports: [AuthModule, QueriesModule, UploadsModule],
  providers: [FirstStart, FirstStartRepository, SampleData],
})
export class FirstStartModule {}
