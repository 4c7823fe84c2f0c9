import { Controller, Get, Module } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Catalog } from '../catalog/catalog.js';

/** Tells supervisors and load balancers how the service is. Needs no key and tells nothing else. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly catalog: Catalog) {}

  @Get('live')
  @ApiOperation({ summary: 'The process answers' })
  @ApiOkResponse({ schema: { example: { status: 'ok' } } })
  live(): object {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'The service can do its work: it has started and its catalog answers' })
  @ApiOkResponse({ schema: { example: { status: 'ok' } } })
  async ready(): Promise<object> {
    await this.catalog.selectFrom('accounts').select('id').limit(1).execute();
    return { status: 'ok' };
  }
}

/** Health of the service. */
@Module({ controllers: [HealthController] })
export class HealthModule {}
