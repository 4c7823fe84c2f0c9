import { Module } from '@nestjs/common';
import { ExecutionsModule } from '../executions/executions.module.js';
import { QueriesModule } from '../queries/queries.module.js';
import { ResultsModule } from '../results/results.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { CatalogCheck } from './catalog-check.js';
import { CatalogProbeRepository } from './catalog-probe.repository.js';
import { HealthController } from './health.controller.js';
import { ReadinessService } from './readiness.service.js';

/** Health of the service. */
@Module({
  imports: [QueriesModule, UploadsModule, ExecutionsModule, ResultsModule],
  controllers: [HealthController],
  providers: [CatalogCheck, CatalogProbeRepository, ReadinessService],
})
export class HealthModule {}
