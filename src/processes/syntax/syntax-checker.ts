import { tmpdir } from 'node:os';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ChildEndedError } from '../pool/child-exit.js';
import { childScript } from '../pool/child-script.js';
import { ProcessPool } from '../pool/process-pool.js';
import type { FromSyntaxChild, SyntaxIssue, ToSyntaxChild } from './syntax-messages.js';

/** The outcome of a check: an issue if there is one, or why the text was not checked. */
export type SyntaxCheck =
  | { readonly kind: 'checked'; readonly issue?: SyntaxIssue | undefined }
  | { readonly kind: 'skipped'; readonly reason: string };

/** How long a text waits until it can be checked. */
const MAX_WAIT_MS = 2_000;
/** How long the parser may take; a text that is not made to be slow takes some milliseconds. */
const MAX_PARSE_MS = 1_000;
/** The first moments of a service belong to the children that run and read. */
const START_AFTER_MS = 1_000;
const MEGABYTE = 2 ** 20;

/**
 * Checks the syntax of SQL in a process of its own, one text after the other. A text that cannot be
 * checked in time is skipped: the check is a service to authors, and every run parses its statement
 * again.
 */
@Injectable()
export class SyntaxChecker implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #pool = new ProcessPool<ToSyntaxChild, FromSyntaxChild>({
    script: childScript('syntax'),
    folder: tmpdir(),
    limits: {
      heapMegabytes: 64,
      niceness: 5,
      openFiles: 64,
      residentBytes: 200 * MEGABYTE,
      dataBytes: 1_000 * MEGABYTE,
    },
    min: 1,
    max: 1,
    maxUse: 1_000,
    readyTimeoutMs: 20_000,
  });
  #startTimer: NodeJS.Timeout | undefined;

  /** Whether no process that checks can be started. */
  get isFailing(): boolean {
    return this.#pool.isFailing;
  }

  onApplicationBootstrap(): void {
    this.#startTimer = setTimeout(() => this.#pool.wake(), START_AFTER_MS).unref();
  }

  /** Ends the process. */
  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.#startTimer);
    await this.#pool.close();
  }

  /** Checks a text by the engine's own parser. Never rejects. */
  async check(sql: string): Promise<SyntaxCheck> {
    const waitUntil = performance.now() + MAX_WAIT_MS;
    try {
      return { kind: 'checked', issue: await this.#findIssue(sql, waitUntil) };
    } catch (error) {
      return { kind: 'skipped', reason: error instanceof Error ? error.message : 'unknown' };
    }
  }

  /** A process can have died while it was idle: then another one checks the text. */
  async #findIssue(sql: string, waitUntil: number): Promise<SyntaxIssue | undefined> {
    const find = () =>
      this.#pool.use({ maxWaitMs: Math.max(0, waitUntil - performance.now()) }, async (child) => {
        const answer = await child.ask({ sql }, AbortSignal.timeout(MAX_PARSE_MS)).catch(explainTimeout);
        return answer.kind === 'checked' ? answer.issue : undefined;
      });
    return await find().catch((error: unknown) => {
      if (error instanceof ChildEndedError) return find();
      throw error;
    });
  }
}

function explainTimeout(error: unknown): never {
  throw error instanceof ChildEndedError ? error : new Error('It took too long');
}
