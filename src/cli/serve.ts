import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Command } from 'commander';
import { createApp } from '../app.js';
import { armFaultPoint } from '../common/fault-point.js';
import type { Config } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import { FirstStart, type FirstStartOutcome } from '../first-start/first-start.js';
import { reportFailure } from './report-failure.js';
import { forgetServer, publishServer } from './running-server.js';

/** `eider serve`: runs the service until it is told to stop. */
export function registerServeCommand(program: Command): void {
  program
    .command('serve', { isDefault: true })
    .description('run the service')
    .action(async () => {
      await serve(loadConfig());
    });
}

async function serve(config: Config): Promise<void> {
  armFaultPoint(config.TEST_FAULT_POINT);
  const app = await createApp(config);
  const started = start(app, config);
  stopOnSignal(app, config, started);
  try {
    console.log(await started);
  } catch (error) {
    // What runs already, such as child processes, would keep the program alive.
    await app.close();
    throw error;
  }
}

/** @returns what to print then. */
async function start(app: NestFastifyApplication, config: Config): Promise<string> {
  await app.init();
  const outcome = await app.get(FirstStart).prepare();
  await app.listen({ port: config.PORT, host: config.HOST });
  const url = await urlOf(app, config);
  await publishServer(config.DATA_DIR, url);
  return describeStart(url, outcome, config);
}

/**
 * Stops in order on SIGTERM and SIGINT, once the start is over: requests and executions in flight get their time; then exit code 0. A
 * second signal ends it at once.
 */
function stopOnSignal(app: NestFastifyApplication, config: Config, started: Promise<unknown>): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    await Promise.allSettled([started]);
    await forgetServer(config.DATA_DIR);
    await app.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop().catch(reportFailure);
    });
  }
}

async function urlOf(app: NestFastifyApplication, { HOST }: Config): Promise<string> {
  const url = new URL(await app.getUrl());
  if (HOST === '0.0.0.0' || HOST === '::') url.hostname = '127.0.0.1';
  return url.origin;
}

function describeStart(url: string, { key, exampleQueryId }: FirstStartOutcome, { HEADER_BRANDS }: Config): string {
  const ready = `Eider listens on ${url} (API pages: ${url}/api/docs)`;
  if (!key) return ready;
  const header = `X-${(HEADER_BRANDS[0] ?? 'service').toUpperCase()}-API-KEY: ${key}`;
  const lines = [ready, '', `The account demo was created. Its API key, shown only now: ${key}`];
  if (exampleQueryId === undefined) return lines.join('\n');
  return [
    ...lines,
    '',
    'Run a saved query, poll it, and read its result:',
    '',
    `  curl -X POST -H '${header}' ${url}/api/v1/query/${exampleQueryId}/execute`,
    `  curl -H '${header}' ${url}/api/v1/execution/<execution_id>/status`,
    `  curl -H '${header}' '${url}/api/v1/query/${exampleQueryId}/results?limit=5'`,
    '',
    `The same as CSV: ${url}/api/v1/query/${exampleQueryId}/results/csv`,
  ].join('\n');
}
