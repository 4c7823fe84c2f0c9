import zlib from 'node:zlib';
import compress from '@fastify/compress';
import { RequestMethod } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import type { Config } from './config/config.js';
import { answerConditionally } from './http/conditional-requests.js';
import { ErrorFilter } from './http/error.filter.js';
import { createHttpAdapter } from './http/http-adapter.js';
import { RequestPipe } from './http/request.pipe.js';
import { ServiceLogger } from './http/service-logger.js';
import { serveOpenApi } from './open-api.js';
import { refuseWrongMethods } from './refuse-wrong-methods.js';
import { sendPlainTexts } from './results/send-text.js';

/** Builds the application; `listen` starts it. */
export async function createApp(config: Config): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config), createHttpAdapter(config), {
    abortOnError: false,
    logger: false,
    bodyParser: false,
  });
  app.useLogger(app.get(ServiceLogger));
  app.setGlobalPrefix('api', { exclude: [{ path: 'health/{*check}', method: RequestMethod.GET }] });
  app.useGlobalPipes(new RequestPipe());
  app.useGlobalFilters(new ErrorFilter());
  refuseWrongMethods(app);
  enableCors(app, config);
  await enableCompression(app);
  serveOpenApi(app, config);
  return app;
}

function enableCors(app: NestFastifyApplication, { CORS_ORIGINS, HEADER_BRANDS }: Config): void {
  if (CORS_ORIGINS.length === 0) return;
  const names = (suffix: string) => HEADER_BRANDS.map((brand) => `x-${brand.toLowerCase()}-${suffix}`);
  app.enableCors({
    origin: CORS_ORIGINS.includes('*') ? '*' : CORS_ORIGINS,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['content-type', ...names('api-key')],
    exposedHeaders: [...names('next-offset'), ...names('next-uri'), 'retry-after', 'etag', 'content-disposition'],
    maxAge: 600,
  });
}

const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const createZstdCompress = () => zlib.createZstdCompress(ZSTD);
const zstdCompressSync = (text: Buffer) => zlib.zstdCompressSync(text, ZSTD);

/** Quick levels: compressing a result well would take longer than sending it. */
async function enableCompression(app: NestFastifyApplication): Promise<void> {
  await app.register(compress, {
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    zlib: { ...zlib, createZstdCompress, zstdCompressSync },
    zlibOptions: { level: 1 },
    brotliOptions: { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } },
    globalDecompression: false,
  });
  answerConditionally(app.getHttpAdapter().getInstance());
  sendPlainTexts(app.getHttpAdapter().getInstance());
}
