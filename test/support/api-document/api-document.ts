import { findMismatches, type Schema, type Schemas } from './find-mismatches.js';

interface Content {
  readonly [mediaType: string]: { readonly schema: Schema };
}

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly schema?: Schema;
  readonly content?: Content;
}

interface Response {
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
}

/** What the document has of one call. */
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

/** An answer, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A call, and how it was answered. */
export interface Exchange extends HttpAnswer {
  readonly query?: URLSearchParams;
  readonly contentType?: string;
  readonly body?: string;
}

/** Headers of an answer that the service itself, not HTTP, gives a meaning. */
const OWN_HEADER = /^(x-(?!content-type-options$)|retry-after$|ratelimit)/;

/** Bodies that are longer hold many rows, of which each is like those of shorter ones. */
const MAX_CHECKED_LENGTH = 100_000;

/** The document of a running service, to compare what it does with what it promises. */
export class ApiDocument {
  /** By `post /api/v1/query`. */
  readonly operations: ReadonlyMap<string, Operation>;
  private readonly patterns: readonly { readonly name: string; readonly pattern: RegExp }[];
  private readonly schemas: Schemas;

  constructor({
    paths,
    components,
  }: { paths: Record<string, Record<string, Operation>>; components: { schemas: Schemas } }) {
    this.schemas = components.schemas;
    this.operations = new Map(
      Object.entries(paths).flatMap(([path, calls]) =>
        Object.entries(calls).map(([method, operation]) => [`${method} ${path}`, operation] as const),
      ),
    );
    this.patterns = [...this.operations.keys()].map((name) => ({ name, pattern: toPattern(name) }));
  }

  get(name: string): Operation {
    const operation = this.operations.get(name);
    if (!operation) throw new Error(`The document has no call ${name}`);
    return operation;
  }

  /**
   * Reports where an exchange was not as documented. Of one that failed only the answer is looked
   * at.
   */
  async findDeviations(name: string, exchange: Exchange): Promise<string[]> {
    const asked = exchange.status === 200 ? await this.findRequestMismatches(this.get(name), exchange) : [];
    return [...asked.map((mismatch) => `${name} ${mismatch}`), ...this.describeAnswer(name, exchange)];
  }

  /**
   * Reports where an answer was not as documented; of a path that the document does not have,
   * nothing.
   */
  findAnswerDeviations(method: string, path: string, answer: HttpAnswer): string[] {
    const found = this.patterns.find(({ pattern }) => pattern.test(`${method.toLowerCase()} ${path}`));
    return found ? this.describeAnswer(found.name, answer) : [];
  }

  private describeAnswer(name: string, answer: HttpAnswer): string[] {
    const about = `${name} ${answer.status}`;
    const response = this.get(name).responses[answer.status];
    if (!response) return [`${about}: is not documented: ${answer.text.slice(0, 200)}`];
    return this.findAnswerMismatches(response, answer).map((mismatch) => `${about} ${mismatch}`);
  }

  private async findRequestMismatches(
    { description, parameters = [], requestBody }: Operation,
    exchange: Exchange,
  ): Promise<string[]> {
    const asked = [...(exchange.query ?? [])].flatMap(([key, text]) => {
      // OpenAPI has no parameter whose name only begins in a certain way: these are described in
      // words.
      if (key.startsWith('params.') && description?.includes('`params.`')) return [];
      const parameter = parameters.find((one) => one.in === 'query' && one.name === key);
      if (!parameter) return [`query ${key}: is not documented`];
      return findMismatches(...toChecked(parameter, text), this.schemas, `query ${key}`);
    });
    if (exchange.body === undefined) return requestBody?.required ? [...asked, 'request: has no body'] : asked;
    const { contentType = 'application/json', body } = exchange;
    const schema = requestBody?.content[toMediaType(contentType)]?.schema;
    if (!schema) return [...asked, `request: a body of ${contentType} is not documented`];
    return [...asked, ...findMismatches(await readBody(contentType, body), schema, this.schemas, 'request')];
  }

  private findAnswerMismatches(
    { content = {}, headers: told = {} }: Response,
    { headers, text }: HttpAnswer,
  ): string[] {
    const names = new Map(Object.entries(told).map(([name, header]) => [name.toLowerCase(), header]));
    const missing = [...names].filter(([name, { required }]) => required && !headers.has(name));
    const wrong = [...headers]
      .filter(([name]) => OWN_HEADER.test(name))
      .flatMap(([name, value]) => {
        const schema = names.get(name)?.schema;
        return schema
          ? findMismatches(fromText(value, schema), schema, this.schemas, name)
          : [`${name}: is not documented`];
      });
    const mediaType = toMediaType(headers.get('content-type') ?? '');
    const schema = content[mediaType]?.schema;
    const deviations = [...missing.map(([name]) => `${name}: is missing`), ...wrong];
    if (!schema && text === '' && Object.keys(content).length === 0) return deviations;
    if (!schema) return [...deviations, `body: ${mediaType} is not documented`];
    if (text.length > MAX_CHECKED_LENGTH) return deviations;
    const value = mediaType === 'application/json' ? JSON.parse(text) : text;
    return [...deviations, ...findMismatches(value, schema, this.schemas)];
  }
}

/** `get /api/v1/query/{query_id}`, with something in the place of each parameter. */
function toPattern(name: string): RegExp {
  return new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}

function toMediaType(contentType: string): string {
  return contentType.split(';', 1)[0] ?? '';
}

async function readBody(contentType: string, body: string): Promise<unknown> {
  if (contentType === 'application/json') return JSON.parse(body);
  if (!contentType.startsWith('multipart/')) return body;
  return Object.fromEntries(await new Response(body, { headers: { 'content-type': contentType } }).formData());
}

function toChecked({ schema = {}, content }: Parameter, text: string): [unknown, Schema] {
  if (content) return [JSON.parse(text), content['application/json']?.schema ?? {}];
  return [fromText(text, schema), schema];
}

function fromText(text: string, { type }: Schema): unknown {
  return type === 'integer' || type === 'boolean' ? JSON.parse(text) : text;
}
