import { tmpdir } from 'node:os';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Child, type ChildExit, spawnChild } from '../pool/child.js';
import { describeExit } from '../pool/child-not-ready.js';
import { childScript } from '../pool/child-script.js';
import { watchMemory } from '../pool/memory-watchdog.js';
import { untilReady } from '../pool/until-ready.js';
import type { FromSyntaxChild, SyntaxIssue, ToSyntaxChild } from './syntax-messages.js';

type SyntaxChild = Child<ToSyntaxChild, FromSyntaxChild>;

/** What came of a check: an issue if there is one, or why the text was not checked. */
export type SyntaxCheck =
  | { readonly kind: 'checked'; readonly issue?: SyntaxIssue | undefined }
  | { readonly kind: 'skipped'; readonly reason: string };

/** How long a text waits until it can be checked. */
const MAX_WAIT_MS = 2_000;
/** How long the parser may take; a text that is not made to be slow takes some milliseconds. */
const MAX_PARSE_MS = 1_000;
const READY_TIMEOUT_MS = 20_000;
/** After so many texts the child is replaced. */
const MAX_CHECKS = 1_000;
/** The first moments of a service belong to the children that run and read. */
const START_AFTER_MS = 1_000;
const MEGABYTE = 2 ** 20;
const MAX_RESIDENT_BYTES = 200 * MEGABYTE;
const LIMITS = { heapMegabytes: 64, niceness: 5, openFiles: 64, dataBytes: 1_000 * MEGABYTE };

/**
 * Checks the syntax of SQL in a process of its own, one text after the other. A text that cannot be checked in time is skipped: the check is
 * a service to authors, and every run parses its statement again.
 */
@Injectable()
export class SyntaxChecker implements OnApplicationBootstrap, OnApplicationShutdown {
  private child: Promise<SyntaxChild> | undefined;
  /** The process of `child`, ready or not. */
  private process: SyntaxChild | undefined;
  private checks = 0;
  private last: Promise<unknown> = Promise.resolve();
  private startTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  onApplicationBootstrap(): void {
    this.startTimer = setTimeout(() => this.ensureChild().catch(() => {}), START_AFTER_MS).unref();
  }

  /** Ends the process. */
  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.startTimer);
    await this.endChild();
  }

  /** Checks a text by the engine's own parser. Never rejects. */
  async check(sql: string): Promise<SyntaxCheck> {
    const waitUntil = performance.now() + MAX_WAIT_MS;
    const turn = this.last;
    const done = Promise.withResolvers<void>();
    this.last = turn.then(() => done.promise);
    try {
      await within(MAX_WAIT_MS, turn, 'Others were being checked');
      return { kind: 'checked', issue: await this.askUntilAnswered(sql, waitUntil) };
    } catch (error) {
      return { kind: 'skipped', reason: error instanceof Error ? error.message : 'unknown' };
    } finally {
      done.resolve();
    }
  }

  /** A process can have died while it waited. */
  private async askUntilAnswered(sql: string, waitUntil: number): Promise<SyntaxIssue | undefined> {
    const ask = async () => {
      const child = await within(waitUntil - performance.now(), this.ensureChild(), 'No process was ready');
      return await this.ask(child, sql);
    };
    return await ask().catch((error: unknown) => {
      if (error instanceof ChildEndedError) return ask();
      throw error;
    });
  }

  private async ask(child: SyntaxChild, sql: string): Promise<SyntaxIssue | undefined> {
    let stopListening = () => {};
    const answer = new Promise<FromSyntaxChild>((resolve) => {
      stopListening = child.onMessage(resolve);
    });
    try {
      child.send({ sql });
      const end = await within(MAX_PARSE_MS, Promise.race([answer, child.exited]), 'It took too long');
      if (!('kind' in end)) throw new ChildEndedError(end);
      this.checks += 1;
      if (this.checks === MAX_CHECKS) await this.replaceChild();
      return end.kind === 'checked' ? end.issue : undefined;
    } catch (error) {
      await this.replaceChild();
      throw error;
    } finally {
      stopListening();
    }
  }

  private ensureChild(): Promise<SyntaxChild> {
    if (this.isClosed) return Promise.reject(new Error('The service is stopping'));
    if (!this.child) {
      const child = this.startChild();
      this.child = child;
      const forget = () => {
        if (this.child === child) this.child = undefined;
      };
      child.then(({ exited }) => exited.then(forget), forget);
    }
    return this.child;
  }

  private async startChild(): Promise<SyntaxChild> {
    const child: SyntaxChild = spawnChild({ script: childScript('syntax'), folder: tmpdir(), limits: LIMITS });
    this.process = child;
    const stopWatching = watchMemory(child.pid ?? 0, MAX_RESIDENT_BYTES, () => child.kill());
    void child.exited.then(stopWatching);
    await untilReady(child, READY_TIMEOUT_MS);
    this.checks = 0;
    return child;
  }

  private async replaceChild(): Promise<void> {
    await this.endChild();
    this.ensureChild().catch(() => {});
  }

  private async endChild(): Promise<void> {
    this.child = undefined;
    this.process?.kill();
    await this.process?.exited;
  }
}

class ChildEndedError extends Error {
  constructor(exit: ChildExit) {
    super(`The process ended: ${describeExit(exit)}`);
  }
}

/** Waits for a promise, for a while. */
async function within<T>(timeoutMs: number, promise: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(complaint)), Math.max(0, timeoutMs));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
