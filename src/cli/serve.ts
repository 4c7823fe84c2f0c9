import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.js';
import { isOpenToOthers } from '../catalog/data-folder.js';
import type { Config } from '../config/config.js';
import { armFailpoints, failpoint } from '../config/failpoint.js';
import { configFileWarning, type EffectiveSettings, readSettings } from '../config/read-settings.js';
import { rootWarning } from '../config/root-warning.js';
import { FirstStart } from '../first-start/first-start.js';
import { toListenError } from '../http/listen-error.js';
import { ServiceLogger } from '../http/service-logger.js';
import { announceFirstStart, announceReady } from './announce-start.js';
import { beginStop } from './begin-stop.js';
import { reportError } from './report-error.js';
import { forgetServer, publishServer } from './running-server.js';

interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly dataDir?: string;
}

/** `eider serve`: runs the service until a signal stops it. */
export function defineServeCommand(command: Command): void {
  command
    .option('--port <port>', 'TCP port to listen on, instead of PORT')
    .option('--host <address>', 'address to listen on, instead of HOST')
    .option('--data-dir <folder>', 'folder of everything that the service keeps, instead of DATA_DIR')
    .action(async ({ port, host, dataDir }: ServeOptions) => {
      await serve(readSettings({ PORT: port, HOST: host, DATA_DIR: dataDir }));
    });
}

async function serve(settings: EffectiveSettings): Promise<void> {
  const { config } = settings;
  armFailpoints(config.TEST_FAILPOINT);
  const app = await createApp(config);
  const started = start(app, settings);
  stopOnSignal(app, started);
  try {
    await started;
  } catch (error) {
    // What runs already, such as child processes, would keep the program alive.
    await app.close();
    throw error;
  }
}

/** The key of a first start is made last: a start that fails, as on a port in use, makes none. */
async function start(app: NestFastifyApplication, settings: EffectiveSettings): Promise<void> {
  const { config } = settings;
  for (const warning of [rootWarning(), openFolderWarning(config), configFileWarning(settings)])
    if (warning !== undefined) app.get(ServiceLogger).warn(warning);
  // The last of what commands ask the service for is its health, while it listens.
  fastifyOf(app).addHook('preClose', () => forgetServer(config.DATA_DIR).catch(reportError));
  await app.init();
  const firstStart = app.get(FirstStart);
  const prepared = await firstStart.prepare();
  await listen(app, config);
  const url = await urlOf(app, config);
  await publishServer(config.DATA_DIR, url);
  if (!prepared) return announceReady({ url, config });
  await firstStart.finish(prepared, (key) => announceFirstStart(prepared, key, { url, config }));
}

async function listen(app: NestFastifyApplication, { PORT, HOST }: Config): Promise<void> {
  try {
    await app.listen({ port: PORT, host: HOST });
  } catch (error) {
    const settings = { hostSetting: 'HOST (serve --host)', portSetting: 'PORT (serve --port)' };
    throw toListenError(error, { host: HOST, port: PORT, ...settings });
  }
}

/** What an operator should know whose data folder was made by an older version, or by hand. */
function openFolderWarning({ DATA_DIR }: Config): string | undefined {
  if (!isOpenToOthers(DATA_DIR)) return undefined;
  return 'Other users of this machine can enter the data folder (DATA_DIR): eider doctor --repair closes it';
}

/**
 * Stops in order on SIGTERM and SIGINT, once the start is over: requests and executions in flight
 * get their time; then exit code 0. A second signal ends it at once.
 */
function stopOnSignal(app: NestFastifyApplication, started: Promise<unknown>): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    await Promise.allSettled([started]);
    const reportEnd = beginStop(app, signal);
    try {
      await failpoint('stop-begun');
    } finally {
      await app.close();
    }
    reportEnd();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        reportError(error);
        // What could not be stopped would keep the program alive.
        process.exit(1);
      });
    });
  }
}

function fastifyOf(app: NestFastifyApplication): FastifyInstance {
  return app.getHttpAdapter().getInstance();
}

async function urlOf(app: NestFastifyApplication, { HOST }: Config): Promise<string> {
  const url = new URL(await app.getUrl());
  if (HOST === '0.0.0.0' || HOST === '::') url.hostname = '127.0.0.1';
  return url.origin;
}
