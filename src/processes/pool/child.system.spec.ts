import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { type Child, type ChildOptions, spawnChild } from './child.js';

const LIMITS = { heapMegabytes: 64, niceness: 5, openFiles: 64 };
const ECHO = join(process.cwd(), 'test/support/children/echo.mjs');

type EchoChild = Child<object, Record<string, unknown>>;

let folder: string;
let child: EchoChild;

beforeEach(async () => {
  folder = temporaryFolder();
});

afterEach(async () => {
  child.kill();
  await child.exited;
});

function nextMessage(): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const stop = child.onMessage((message) => {
      stop();
      resolve(message);
    });
  });
}

async function givenReadyChild(options: Partial<ChildOptions> = {}): Promise<void> {
  child = spawnChild({ script: ECHO, folder, limits: LIMITS, ...options });
  await nextMessage();
}

async function ask(message: object): Promise<Record<string, unknown>> {
  child.send(message);
  return nextMessage();
}

describe('spawnChild', () => {
  it('exchanges messages', async () => {
    await givenReadyChild();
    expect(await ask({ kind: 'echo', text: 'naïve 🦆' })).toEqual({ kind: 'echo', text: 'naïve 🦆' });
  });

  it('runs the child in its folder, with no variable but those it was given', async () => {
    await givenReadyChild({ environment: { UV_THREADPOOL_SIZE: '7' } });
    const { names, folder: childFolder } = await ask({ kind: 'environment' });
    expect(childFolder).toBe(folder);
    expect(names).toEqual(expect.arrayContaining(['LANG', 'PATH', 'UV_THREADPOOL_SIZE']));
    expect(
      (names as string[]).filter((name) => !/^(LANG|PATH|PWD|OLDPWD|SHLVL|_|UV_.*|NODE_CHANNEL_.*)$/.test(name)),
    ).toEqual([]);
  });

  it('holds the child to its limits', async () => {
    await givenReadyChild({ limits: { ...LIMITS, fileBytes: 65_536, dataBytes: 3e9, cpuSeconds: 100 } });
    const limits = await readFile(`/proc/${child.pid}/limits`, 'utf8');
    expect(limits).toMatch(/^Max open files +64 /m);
    expect(limits).toMatch(/^Max core file size +0 /m);
    expect(limits).toMatch(/^Max file size +65536 /m);
    expect(limits).toMatch(/^Max data size +3000000512 /m);
    expect(limits).toMatch(/^Max cpu time +100 /m);
    expect(await readFile(`/proc/${child.pid}/oom_score_adj`, 'utf8')).toBe('1000\n');
    expect(await ask({ kind: 'write', path: 'big', bytes: 70_000 })).toEqual({ kind: 'refused', code: 'EFBIG' });
  });

  it('ends a child that is busy', async () => {
    await givenReadyChild();
    child.send({ kind: 'spin' });
    child.kill();
    expect(await child.exited).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(child.hasExited).toBe(true);
  });

  it('reports how a child ended, and none of the words in which it complained', async () => {
    await givenReadyChild();
    child.send({ kind: 'complain', text: `${'x'.repeat(10_000)}\nTypeError: hunter2` });
    expect(await child.exited).toEqual({ code: 3, signal: null, cause: 'uncaught TypeError' });
  });

  it('reports a folder that does not exist', async () => {
    child = spawnChild({ script: ECHO, folder: join(folder, 'missing'), limits: LIMITS });
    const exit = await child.exited;
    expect(exit.code).not.toBe(0);
    expect(exit.cause).toBe('its folder cannot be entered');
  });

  it('drops a message to a child that is gone', async () => {
    await givenReadyChild();
    child.kill();
    await child.exited;
    child.send({ kind: 'echo', text: 'late' });
    expect(child.hasExited).toBe(true);
  });
});
