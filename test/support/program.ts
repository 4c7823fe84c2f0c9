import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
// @ts-expect-error a script without types
import { V8_FLAGS } from '../../scripts/v8-flags.mjs';
import { until } from './until.js';

const KEY = 'key-of-the-artefact-tests';

const SETTINGS = {
  PATH: process.env.PATH,
  PORT: '0',
  LOG_LEVEL: 'silent',
  SAMPLE_DATA: 'false',
  BOOTSTRAP_API_KEY: KEY,
  WORKERS: '1',
  WORKER_MEMORY: '256MB',
  WORKER_THREADS: '1',
  READERS: '1',
  READER_MEMORY: '256MB',
  UPLOADER_MEMORY: '128MB',
  SHUTDOWN_GRACE: '100ms',
};

/** How a process ended. */
export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it wrote, both outputs together. */
  readonly output: string;
}

/** The built program in a process of its own. */
export class Program {
  readonly exited: Promise<ProgramExit>;
  /** Where it listens, once `serve` has started. */
  url = '';
  /** The API key that requests are sent with. */
  key = KEY;
  /** What it has written so far, both outputs together. */
  output = '';

  private constructor(private readonly process: ChildProcess) {
    for (const stream of [process.stdout, process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    this.exited = once(process, 'close').then(([code, signal]) => ({ code, signal, output: this.output }));
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Starts a command, such as `['sweep']`, with settings on top of small defaults. */
  static run(command: readonly string[], settings: Readonly<Record<string, string>>): Program {
    const env = { ...SETTINGS, ...settings };
    return new Program(
      spawn(process.execPath, [...V8_FLAGS, 'dist/main.js', ...command], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
  }

  /** Starts another executable than the built program, with these variables as they are. */
  static start(executable: string, words: readonly string[], env: Readonly<NodeJS.ProcessEnv>): Program {
    return new Program(spawn(executable, words, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Starts the service as the README does. Signals go to npm. */
  static npmStart(settings: Readonly<Record<string, string>>): Program {
    const env = { ...SETTINGS, ...settings };
    return new Program(spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /**
   * Starts the service with a data folder on a disk of its own that has only so much room. The disk
   * is gone with the process.
   */
  static async serveOnDiskOf(megabytes: number, settings: Readonly<Record<string, string>>): Promise<Program> {
    const program = Program.onDiskOf(megabytes, settings.DATA_DIR ?? '', 'exec "$0" dist/main.js serve', settings);
    program.url = await program.untilListening();
    return program;
  }

  /**
   * Runs a command while a folder is a small disk of its own. The last line of the output lists
   * the files that are on it then.
   */
  static runOnDiskOf(
    megabytes: number,
    folder: string,
    command: string,
    settings: Readonly<Record<string, string>>,
  ): Program {
    const listed = `"$0" dist/main.js ${command}; code=$?; echo "left:" $(find "$DISK" -type f); exit $code`;
    return Program.onDiskOf(megabytes, folder, listed, settings);
  }

  private static onDiskOf(
    megabytes: number,
    folder: string,
    script: string,
    settings: Readonly<Record<string, string>>,
  ): Program {
    const env = { ...SETTINGS, ...settings, DISK: folder };
    const mounted = `mount -t tmpfs -o size=${megabytes}m tmpfs "$DISK" && { ${script}; }`;
    // Root needs no user namespace, which some systems forbid.
    const isRoot = spawnSync('unshare', ['--mount', 'true']).status === 0;
    const command = ['--mount', ...(isRoot ? [] : ['--map-root-user']), 'sh', '-c', mounted, process.execPath];
    return new Program(spawn('unshare', command, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /**
   * Starts the service on a terminal of its own, by `script` of util-linux, and waits until it
   * listens.
   */
  static async serveOnTerminal(settings: Readonly<Record<string, string>>): Promise<Program> {
    const env = { ...SETTINGS, ...settings, SHELL: '/bin/sh' };
    const command = `exec '${process.execPath}' dist/main.js serve`;
    const program = new Program(
      spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env, stdio: 'pipe' }),
    );
    program.url = await program.untilListening();
    return program;
  }

  /** Presses Ctrl-C on the terminal of the service. */
  pressCtrlC(): Promise<ProgramExit> {
    this.process.stdin?.write('\x03');
    return this.exited;
  }

  /** Starts the service and waits until it listens. */
  static async serve(settings: Readonly<Record<string, string>>): Promise<Program> {
    const program = Program.run(['serve'], settings);
    program.url = await program.untilListening();
    return program;
  }

  /** Sends a signal. */
  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Sends a signal; `SIGKILL` is what a crash looks like. Gives how the process ended. */
  stop(signal: NodeJS.Signals): Promise<ProgramExit> {
    this.process.kill(signal);
    return this.exited;
  }

  /** Sends a request to the API: a body that is neither a text nor a stream as JSON. */
  fetch(
    path: string,
    { method = 'GET', body, contentType }: { method?: string; body?: object | string; contentType?: string } = {},
  ): Promise<Response> {
    const headers = { 'x-service-api-key': this.key, 'accept-encoding': 'identity' };
    const isRaw = typeof body === 'string' || body instanceof ReadableStream;
    return fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: contentType === undefined ? headers : { ...headers, 'content-type': contentType },
      body: isRaw ? body : body && JSON.stringify(body),
      duplex: 'half',
    });
  }

  /** Begins to read the whole result of an execution as CSV. */
  async openCsv(id: string): Promise<AsyncIterator<Uint8Array>> {
    const { body } = await this.fetch(`/execution/${id}/results/csv`);
    if (!body) throw new Error('The answer has no body');
    return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  }

  /** Starts SQL and gives the execution's id. */
  async execute(sql: string): Promise<string> {
    const response = await this.fetch('/sql/execute', { method: 'POST', body: { sql } });
    return ((await response.json()) as { execution_id: string }).execution_id;
  }

  /** The status body of an execution. */
  async status(id: string): Promise<any> {
    return (await this.fetch(`/execution/${id}/status`)).json();
  }

  /** Asks for the status of an execution until it is as wanted. */
  async untilStatus(id: string, isWanted: (status: any) => boolean): Promise<any> {
    let status: any;
    await until(async () => {
      status = await this.status(id);
      return isWanted(status);
    });
    return status;
  }

  async untilEnded(id: string): Promise<any> {
    return this.untilStatus(id, (status) => status.is_execution_finished);
  }

  /** The texts that the two results calls answer for an execution, to the byte. */
  async read(id: string): Promise<{ json: string; csv: string }> {
    const json = await (await this.fetch(`/execution/${id}/results`)).text();
    return { json, csv: await (await this.fetch(`/execution/${id}/results/csv`)).text() };
  }

  /** Waits until the program has written something. */
  async untilOutput(wanted: RegExp): Promise<RegExpExecArray> {
    const written = new Promise<RegExpExecArray>((resolve) => {
      const look = () => {
        const found = wanted.exec(this.output);
        if (found) resolve(found);
      };
      this.process.stdout?.on('data', look);
      look();
    });
    const first = await Promise.race([written, this.exited]);
    if (!Array.isArray(first)) throw new Error(`The program ended: ${first.output}`);
    return first;
  }

  /** Waits until the service listens, and gives where. */
  async untilListening(): Promise<string> {
    const [, url = ''] = await this.untilOutput(/listens on (\S+)/);
    return url;
  }
}

/**
 * Ids of the processes whose working directory is in a folder, as that of every child of the
 * service is in its data folder.
 */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && worksIn(pid, folder))
    .map(Number);
}

/** Waits until no process works in a folder any more. */
export async function untilNobodyWorksIn(folder: string): Promise<void> {
  await until(() => processesIn(folder).length === 0);
}

function worksIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
