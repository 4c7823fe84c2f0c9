import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiFailures } from '../http/api-errors.decorator.js';
import { HealthBody, NotReadyDocument } from './dto/health.body.js';
import { ReadinessService } from './readiness.service.js';

/** Reports to supervisors and load balancers whether the service works. Needs no key. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

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
    summary: 'The service can do its work: it is not stopping, and has disk space, its catalog and its processes',
    security: [],
  })
  @ApiOkResponse({ type: HealthBody })
  @ApiFailures(400, { status: 503, type: NotReadyDocument })
  async ready(): Promise<HealthBody> {
    await this.readiness.requireReady();
    return { status: 'ok' };
  }
}
