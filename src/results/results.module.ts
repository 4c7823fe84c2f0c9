import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ExecutionsModule } from '../executions/executions.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { DeletedResults } from './deleted-results.js';
import { ExpiryJob } from './expiry.job.js';
import { PageReader } from './page-reader.js';
import { Reader } from './reader/reader.js';
import { ResultReplies } from './result-replies.js';
import { ResultsController } from './results.controller.js';
import { ResultsService } from './results.service.js';
import { SweepService } from './sweep.service.js';

/** The read side: stored results over HTTP. */
@Module({
  imports: [AuthModule, ExecutionsModule, UploadsModule],
  controllers: [ResultsController],
  providers: [DeletedResults, ExpiryJob, PageReader, Reader, ResultReplies, ResultsService, SweepService],
})
export class ResultsModule {}
