import type { Config } from '../config/config.js';
import { OperatorError } from '../config/operator-error.js';

/** Names the setting to change if the service cannot listen; returns other errors as they are. */
export function toListenError(error: unknown, { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): unknown {
  const explained = sentenceFor((error as NodeJS.ErrnoException).code, HOST, PORT);
  return explained === undefined ? error : new OperatorError(explained, { cause: error });
}

function sentenceFor(code: string | undefined, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use: stop the program that listens there, or set PORT (serve --port) to another port`;
    case 'EACCES':
      return `Port ${port} may not be used by this user: set PORT (serve --port) to 1024 or above`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} is not an address of this machine: set HOST (serve --host) to one, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return undefined;
  }
}
