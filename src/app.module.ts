import { type DynamicModule, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { AuthModule } from './auth/auth.module.js';
import { CatalogModule } from './catalog/catalog.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ExecutionsModule } from './executions/executions.module.js';
import { FirstStartModule } from './first-start/first-start.module.js';
import { HealthModule } from './health/health.module.js';
import { CommonModule } from './http/common.module.js';
import { loggerParams } from './http/logger.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { QueriesModule } from './queries/queries.module.js';
import { ResultsModule } from './results/results.module.js';
import { StorageModule } from './storage/storage.module.js';
import { SweepModule } from './sweep/sweep.module.js';
import { TracingModule } from './tracing/tracing.module.js';
import { UploadsModule } from './uploads/uploads.module.js';

/** The service: what it is made of. */
@Module({})
export class AppModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggerModule.forRoot(loggerParams(config)),
        CommonModule,
        CatalogModule,
        StorageModule,
        AuthModule,
        QueriesModule,
        UploadsModule,
        ExecutionsModule,
        ResultsModule,
        SweepModule,
        FirstStartModule,
        HealthModule,
        MetricsModule,
        TracingModule,
      ],
    };
  }
}
