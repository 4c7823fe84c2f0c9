import { Controller, Get, Module } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Catalog } from '../catalog/catalog.js';
import { ApiFailures } from '../http/api-errors.decorator.js';

/** Reply of the health calls; a service that is not well answers with a failure instead. */
export class HealthBody {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

/** Reports to supervisors and load balancers whether the service works. Needs no key. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly catalog: Catalog) {}

  @Get('live')
  @ApiOperation({ operationId: 'getLiveness', summary: 'The process answers', security: [] })
  @ApiOkResponse({ type: HealthBody })
  @ApiFailures(400)
  live(): HealthBody {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'The service can do its work: it has started and its catalog answers',
    security: [],
  })
  @ApiOkResponse({ type: HealthBody })
  @ApiFailures(400)
  async ready(): Promise<HealthBody> {
    await this.catalog.selectFrom('accounts').select('id').limit(1).execute();
    return { status: 'ok' };
  }
}

/** Health of the service. */
@Module({ controllers: [HealthController] })
export class HealthModule {}
