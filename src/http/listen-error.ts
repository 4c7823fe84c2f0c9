import { OperatorError } from '../config/operator-error.js';

/** Where a server is to listen, and the settings that state it, as a sentence names them. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly hostSetting: string;
  readonly portSetting: string;
}

/** Names the setting to change if a server cannot listen; returns other errors as they are. */
export function toListenError(error: unknown, address: ListenAddress): unknown {
  const explained = sentenceFor((error as NodeJS.ErrnoException).code, address);
  return explained === undefined ? error : new OperatorError(explained, { cause: error });
}

function sentenceFor(code: string | undefined, address: ListenAddress): string | undefined {
  const { host, port, hostSetting, portSetting } = address;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use: stop the program that listens there, or set ${portSetting} to another port`;
    case 'EACCES':
      return `Port ${port} may not be used by this user: set ${portSetting} to 1024 or above`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} is not an address of this machine: set ${hostSetting} to one, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return undefined;
  }
}
