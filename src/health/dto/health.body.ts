import { ApiProperty } from '@nestjs/swagger';
import { ErrorDocument } from '../../http/api-errors.decorator.js';
import { NOT_READY_CAUSES, type NotReadyCause } from '../health.errors.js';

/** Reply of the health calls; a service that is not well answers with a failure instead. */
export class HealthBody {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

/** The body of a service that is not ready, for the OpenAPI document. */
export class NotReadyDocument extends ErrorDocument {
  @ApiProperty({ enum: NOT_READY_CAUSES, isArray: true, description: 'Every cause that holds now.' })
  causes!: NotReadyCause[];
}
