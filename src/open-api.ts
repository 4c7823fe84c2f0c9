import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config/config.js';
import { securePages } from './secure-pages.js';

const DESCRIPTION =
  'Saved SQL queries, their executions, and the stored results. Every failure has the body `ErrorDocument`; so have, at any path, ' +
  '404 for a path that does not exist, 408 for a request that does not arrive in time, and 431 for headers that are too large.';

const PAGES = '/api/docs';
const SECOND_PATHS = '/api/v1/uploads';

/** Serves the OpenAPI document and its pages, to which `/` and `/api` lead. */
export function serveOpenApi(app: NestFastifyApplication, config: Config): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  securePages(fastify, PAGES, config.PUBLIC_URL ? [config.PUBLIC_URL] : []);
  for (const path of ['/', '/api']) fastify.get(path, (_request, reply) => reply.redirect(PAGES, 302));
  SwaggerModule.setup(PAGES, app, () => createDocument(app, config), {
    jsonDocumentUrl: 'api/openapi.json',
    yamlDocumentUrl: 'api/openapi.yaml',
    customSiteTitle: 'Eider API',
    // Without a bar at the top, whose logo has styles that the policy of the pages does not allow.
    swaggerOptions: { layout: 'BaseLayout' },
  });
}

function createDocument(app: NestFastifyApplication, { HEADER_BRANDS, PUBLIC_URL }: Config) {
  const builder = new DocumentBuilder()
    .setTitle('Eider')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    // Without a public address, the one that the document was read from.
    .addServer(PUBLIC_URL ?? '/')
    .addApiKey({ type: 'apiKey', in: 'query', name: 'api_key' }, 'query');
  for (const brand of HEADER_BRANDS) {
    builder.addApiKey({ type: 'apiKey', in: 'header', name: `X-${brand.toUpperCase()}-API-KEY` }, brand);
    builder.addSecurityRequirements(brand);
  }
  builder.addSecurityRequirements('query');
  const document = SwaggerModule.createDocument(app, builder.build());
  nameSecondPaths(document);
  dropNullTexts(document);
  addPagingHeaders(document, HEADER_BRANDS);
  return document;
}

/** Calls for tables have two paths each: the operation is named after the first. */
function nameSecondPaths({ paths }: OpenAPIObject): void {
  const second = Object.entries(paths).filter(([path]) => path.startsWith(SECOND_PATHS));
  for (const operation of second.flatMap(([, { get, post, delete: remove }]) => [get, post, remove])) {
    const { operationId: id = '' } = operation ?? {};
    if (operation) operation.operationId = `uploads${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  }
}

/** A schema as the document has it, or a reference to one. */
type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** Fields of a JSON body can be null, which counts as absent; those of queries and forms cannot. */
function dropNullTexts({ paths, components }: OpenAPIObject): void {
  const operations = Object.values(paths).flatMap(({ get, post, patch, delete: remove }) => [get, post, patch, remove]);
  for (const operation of operations) {
    for (const parameter of operation?.parameters ?? []) if ('schema' in parameter) dropNull(parameter.schema);
    const body = operation?.requestBody;
    const form = body && 'content' in body ? body.content['multipart/form-data']?.schema : undefined;
    const name = form && '$ref' in form ? form.$ref.split('/').at(-1) : undefined;
    const schema = components?.schemas?.[name ?? ''];
    if (schema && !('$ref' in schema)) Object.values(schema.properties ?? {}).forEach(dropNull);
  }
}

function dropNull(schema: Schema | undefined): void {
  if (schema && 'nullable' in schema) delete schema.nullable;
}

/** Their names are a setting, which decorators cannot know. */
function addPagingHeaders({ paths }: OpenAPIObject, brands: readonly string[]): void {
  const headers: Record<string, object> = {};
  for (const brand of brands.map((name) => name.toUpperCase())) {
    headers[`X-${brand}-NEXT-OFFSET`] = {
      description: 'First row of the next page. Only if a further page exists.',
      schema: { type: 'integer', minimum: 1 },
    };
    headers[`X-${brand}-NEXT-URI`] = {
      description: 'Complete URI of the next page. Only if a further page exists.',
      schema: { type: 'string', format: 'uri' },
    };
  }
  for (const { get } of Object.values(paths)) {
    const success = get?.responses[200];
    if (success && 'content' in success && success.content?.['text/csv']) success.headers = headers;
  }
}
