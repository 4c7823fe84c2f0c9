import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/config.js';

/** Traces, if `TRACES_URL` is set: otherwise their library is not loaded. */
@Module({
  providers: [
    {
      provide: 'Tracing',
      inject: [Config, HttpAdapterHost],
      useFactory: async ({ TRACES_URL }: Config, host: HttpAdapterHost) => {
        if (TRACES_URL === undefined) return undefined;
        const { Tracing } = await import('./tracing.js');
        return new Tracing(TRACES_URL, host.httpAdapter.getInstance());
      },
    },
  ],
})
export class TracingModule {}
