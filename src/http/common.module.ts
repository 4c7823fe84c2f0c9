import { Global, Module } from '@nestjs/common';
import { Clock } from '../config/clock.js';
import { ConnectionCloser } from './connection-closer.js';
import { ServiceLogger } from './service-logger.js';

/** What any module may need. */
@Global()
@Module({ providers: [Clock, ConnectionCloser, ServiceLogger], exports: [Clock] })
export class CommonModule {}
