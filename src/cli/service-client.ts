import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Account } from '../auth/account.js';
import { DataFolderInUseError } from '../catalog/catalog.errors.js';
import type { Config } from '../config/config.js';
import { OperatorError } from '../config/operator-error.js';
import { type CliContext, openCliContext } from './cli-context.js';
import { findServer } from './running-server.js';

/** A call that the service refused; the message is the service's own sentence. */
export class ServiceCallError extends OperatorError {}

/** Calls the HTTP interface of the service on this data folder, in the name of an account. */
export class ServiceClient {
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** @throws ServiceCallError with the sentence of the service. */
  async call(method: string, path: string, body?: object): Promise<Response> {
    return this.send(path, { method, headers: this.headers, body: body && JSON.stringify(body) });
  }

  /**
   * Sends data with the headers that describe it; the reply is JSON.
   *
   * @throws ServiceCallError with the sentence of the service.
   */
  async upload<Body>(
    path: string,
    data: AsyncIterable<Uint8Array>,
    dataHeaders: Readonly<Record<string, string>>,
  ): Promise<Body> {
    const headers = { ...this.headers, ...dataHeaders };
    const response = await this.send(path, {
      method: 'POST',
      headers,
      body: ReadableStream.from(data),
      duplex: 'half',
    });
    return (await response.json()) as Body;
  }

  /** A call whose reply is JSON. */
  async json<Body>(method: string, path: string, body?: object): Promise<Body> {
    return (await (await this.call(method, path, body)).json()) as Body;
  }

  private async send(path: string, request: RequestInit): Promise<Response> {
    const response = await fetch(`${this.url}/api/v1${path}`, request);
    if (!response.ok) throw new ServiceCallError(await sentenceOf(response));
    return response;
  }
}

/**
 * Gives `work` a client of the service on this data folder: of the one that runs, else of one that
 * is started for the time of the work. The key that it uses is made for the occasion and revoked
 * afterwards.
 */
export async function withServiceClient(
  config: Config,
  choose: (context: CliContext) => Promise<Account>,
  work: (client: ServiceClient) => Promise<void>,
): Promise<void> {
  const context = await openCliContext();
  try {
    const { key, text } = await context.keys.create(await choose(context), {
      name: 'command',
      scope: 'admin',
      expiresDays: 1,
      trigger: 'cli',
    });
    try {
      const headers = { [`x-${config.HEADER_BRANDS[0]}-api-key`]: text };
      await withService(config, (url) => work(new ServiceClient(url, headers)));
    } finally {
      await context.keys.revoke(key.id);
    }
  } finally {
    await context.close();
  }
}

async function withService(config: Config, work: (url: string) => Promise<void>): Promise<void> {
  const app = await startOwn(config);
  if (!app) {
    const url = await findServer(config.DATA_DIR);
    if (!url) throw new DataFolderInUseError();
    return work(url);
  }
  try {
    await app.listen(0, '127.0.0.1');
    await work(await app.getUrl());
  } finally {
    await app.close();
  }
}

/** Nothing if a service runs on the data folder already. */
async function startOwn(config: Config): Promise<NestFastifyApplication | undefined> {
  const { createApp } = await import('../app.js');
  try {
    return await createApp({ ...config, LOG_LEVEL: 'silent' });
  } catch (error) {
    if (error instanceof DataFolderInUseError) return undefined;
    throw error;
  }
}

async function sentenceOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as { error: string }).error;
  } catch {
    return `The service answered ${response.status}`;
  }
}
