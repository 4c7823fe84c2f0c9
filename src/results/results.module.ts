import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ExecutionsModule } from '../executions/executions.module.js';
import { Reader } from '../processes/read/reader.js';
import { PageReader } from './page-reader.js';
import { ResultsController } from './results.controller.js';
import { ResultsService } from './results.service.js';

/** The read side: stored results over HTTP. */
@Module({
  imports: [AuthModule, ExecutionsModule],
  controllers: [ResultsController],
  providers: [PageReader, Reader, ResultsService],
  exports: [Reader],
})
export class ResultsModule {}
