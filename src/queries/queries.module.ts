import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { SyntaxChecker } from '../processes/syntax/syntax-checker.js';
import { CheckedQueriesService } from './checked-queries.service.js';
import { QueriesController } from './queries.controller.js';
import { QueriesRepository } from './queries.repository.js';
import { QueriesService } from './queries.service.js';

/** Saved queries, their versions and parameters. */
@Module({
  imports: [AuthModule],
  controllers: [QueriesController],
  providers: [CheckedQueriesService, QueriesRepository, QueriesService, SyntaxChecker],
  exports: [QueriesService, SyntaxChecker],
})
export class QueriesModule {}
