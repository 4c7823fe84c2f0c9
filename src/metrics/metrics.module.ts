import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/config.js';
import { ExecutionsModule } from '../executions/executions.module.js';
import { ServiceGauges } from './service-gauges.js';
import { StorageTotalsRepository } from './storage-totals.repository.js';

/** Metrics for Prometheus, if `METRICS_PORT` is set: otherwise their library is not loaded. */
@Module({
  imports: [ExecutionsModule],
  providers: [
    ServiceGauges,
    StorageTotalsRepository,
    {
      provide: 'MetricsServer',
      inject: [Config, ServiceGauges, HttpAdapterHost],
      useFactory: async (config: Config, gauges: ServiceGauges, host: HttpAdapterHost) => {
        const { METRICS_PORT, METRICS_HOST } = config;
        if (METRICS_PORT === undefined) return undefined;
        const { MetricsServer } = await import('./metrics-server.js');
        return new MetricsServer({ METRICS_PORT, METRICS_HOST }, gauges, host.httpAdapter.getInstance());
      },
    },
  ],
})
export class MetricsModule {}
