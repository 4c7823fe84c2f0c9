import type { IncomingMessage } from 'node:http';
import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import * as transformerPackage from 'class-transformer';
import * as validatorPackage from 'class-validator';
import { formatSize } from '../config/units.js';
import { BodyTooLargeError, InvalidRequestError, UnreadableBodyError } from './common.errors.js';
import { noteIgnored, refuseRepeated } from './ignored-names.js';
import { MAX_JSON_DEPTH } from './json-depth.js';
import { chunksOf, refuseEncoded } from './request-body.js';

/** Largest JSON body of the calls that do not carry data. */
const MAX_JSON_BODY_BYTES = 1_000_000;

/**
 * Checks the shape of what a controller method takes. A body arrives as the unread stream, so that
 * a call is refused for its key before its body is looked at; here it is read as JSON whatever its
 * Content-Type is (`docs/contract.md`, "Ground rules"). Names that a DTO does not know are
 * ignored, and noted for calls that report them.
 */
@Injectable()
export class RequestPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      stopAtFirstError: true,
      exceptionFactory: toInvalidRequest,
      // Nest's own import of them has no names in the bundle: they are CommonJS.
      validatorPackage,
      transformerPackage,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // A part of the path stays text for the pipe of its parameter (`1e3` is no id).
    if (metadata.type === 'param') return value;
    const { type, metatype } = metadata;
    const isDto = metatype !== undefined && metatype !== Object;
    if (!isDto || (type !== 'body' && type !== 'query')) return super.transform(value, metadata);
    const request = type === 'body' ? await readJsonObject(value) : Object(value);
    if (type === 'query') refuseRepeated(request, metatype);
    const dto: object = await super.transform(request, metadata);
    noteIgnored(request, dto, metatype);
    return dto;
  }
}

async function readJsonObject(body: unknown): Promise<object> {
  const text = isUnread(body) ? await readText(body) : '';
  if (text.trim() === '') return {};
  if (isDeeperThan(MAX_JSON_DEPTH, text)) throw new UnreadableBodyError();
  const value = parseJson(text);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new UnreadableBodyError();
  return value;
}

function isUnread(body: unknown): body is IncomingMessage {
  return typeof (body as IncomingMessage | undefined)?.[Symbol.asyncIterator] === 'function';
}

async function readText(request: IncomingMessage): Promise<string> {
  refuseEncoded(request.headers);
  refuseLargerBody(Number(request.headers['content-length'] ?? 0));
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunksOf(request, (cause) => new UnreadableBodyError({ cause }))) {
    sizeBytes += chunk.length;
    refuseLargerBody(sizeBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

function refuseLargerBody(sizeBytes: number): void {
  if (sizeBytes > MAX_JSON_BODY_BYTES) throw new BodyTooLargeError(formatSize(MAX_JSON_BODY_BYTES));
}

/** Counts brackets outside strings. A text that is no JSON may pass; parsing rejects it. */
function isDeeperThan(maxDepth: number, json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '"') isInString = !isInString;
    else if (isInString) index += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableBodyError();
  }
}

function toInvalidRequest(errors: validatorPackage.ValidationError[]): InvalidRequestError {
  return new InvalidRequestError(errors.flatMap((error) => messagesOf(error, '')).join('; '));
}

function messagesOf(error: validatorPackage.ValidationError, path: string): string[] {
  const own = Object.values(error.constraints ?? {}).map((message) => `${path}${error.property}: ${message}`);
  return [...own, ...(error.children ?? []).flatMap((child) => messagesOf(child, `${path}${error.property}.`))];
}
