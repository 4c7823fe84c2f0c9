import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { Config } from './config/config.js';

/** Serves the OpenAPI document at `/api/openapi.json` and its pages at `/api/docs`. */
export function serveOpenApi(app: NestFastifyApplication, config: Config): void {
  SwaggerModule.setup('api/docs', app, () => createDocument(app, config), {
    jsonDocumentUrl: 'api/openapi.json',
    yamlDocumentUrl: 'api/openapi.yaml',
    customSiteTitle: 'Eider API',
  });
}

function createDocument(app: NestFastifyApplication, { HEADER_BRANDS, PUBLIC_URL }: Config) {
  const builder = new DocumentBuilder()
    .setTitle('Eider')
    .setDescription('Saved SQL queries, their executions, and the stored results.')
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'query', name: 'api_key' }, 'query');
  for (const brand of HEADER_BRANDS) {
    builder.addApiKey({ type: 'apiKey', in: 'header', name: `X-${brand.toUpperCase()}-API-KEY` }, brand);
    builder.addSecurityRequirements(brand);
  }
  builder.addSecurityRequirements('query');
  if (PUBLIC_URL) builder.addServer(PUBLIC_URL);
  return SwaggerModule.createDocument(app, builder.build());
}
