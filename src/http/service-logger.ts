import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

/** Nest's own start: a line per module and route, of no use in the logs of a service. */
const STARTUP_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** The logger that Nest and the features write to. */
@Injectable()
export class ServiceLogger extends Logger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (!STARTUP_CONTEXTS.has(String(rest.at(-1)))) super.log(message, ...(rest as []));
  }
}
