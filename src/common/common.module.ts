import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';

/** What any module may need. */
@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class CommonModule {}
