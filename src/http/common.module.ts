import { Global, Module } from '@nestjs/common';
import { Clock } from '../config/clock.js';
import { Draining } from './draining.js';
import { ServiceLogger } from './service-logger.js';

/** What any module may need. */
@Global()
@Module({ providers: [Clock, Draining, ServiceLogger], exports: [Clock, Draining] })
export class CommonModule {}
