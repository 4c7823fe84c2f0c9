import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilListening } from '../support.js';

const KEY = 'soak-key-0123456789';

/** How a command of the program ended. */
export interface CommandEnd {
  readonly code: number;
  readonly output: string;
}

/** The built program with one data folder, killed and started again by the soak test. */
export class SoakService {
  #child: ChildProcess | undefined;
  #url = '';

  private constructor(
    readonly dataDir: string,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  static async start(settings: Readonly<Record<string, string>>): Promise<SoakService> {
    const service = new SoakService(await mkdtemp(join(tmpdir(), 'eider-soak-')), settings);
    await service.start();
    return service;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the server, and settles once it listens. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['dist/main.js', 'serve'], {
      env: this.environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#url = await untilListening(child);
  }

  /** Ends the server; SIGKILL is what a crash looks like. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Deletes the data folder. */
  async remove(): Promise<void> {
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Sends a request below `/api/v1`, with a body as it is. */
  fetch(path: string, method = 'GET', body?: string, contentType = 'application/json'): Promise<Response> {
    const headers = { 'x-service-api-key': KEY, ...(body !== undefined && { 'content-type': contentType }) };
    return fetch(`${this.#url}/api/v1${path}`, { method, headers, ...(body !== undefined && { body }) });
  }

  /** Runs a command of the program beside the server. */
  command(...words: string[]): Promise<CommandEnd> {
    return new Promise((resolve) => {
      execFile(process.execPath, ['dist/main.js', ...words], { env: this.environment() }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
      });
    });
  }

  /** Ids of the child processes of the server. */
  childPids(): number[] {
    return readdirSync('/proc')
      .filter(isNumber)
      .map(Number)
      .filter((pid) => parentOf(pid) === this.pid);
  }

  /** Throws if the server has ended by itself. */
  requireAlive(): void {
    const { exitCode = null, signalCode = null } = this.#child ?? {};
    if (exitCode !== null || signalCode !== null) throw new Error(`The server has ended: ${exitCode ?? signalCode}`);
  }

  /** Open files, sockets and pipes of the server process. */
  descriptorCount(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  private environment(): Record<string, string | undefined> {
    const own = { PORT: '0', DATA_DIR: this.dataDir, BOOTSTRAP_API_KEY: KEY, SAMPLE_DATA: 'false', LOG_LEVEL: 'info' };
    return { PATH: process.env.PATH, ...own, ...this.settings };
  }
}

const isNumber = (name: string) => /^\d+$/.test(name);

/** The parent of a process, or 0 if it has ended. */
function parentOf(pid: number): number {
  try {
    // The name before it, in parentheses, can hold spaces.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return 0;
  }
}
