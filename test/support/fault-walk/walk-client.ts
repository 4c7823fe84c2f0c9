import { setTimeout } from 'node:timers/promises';
import type { FailpointKind } from '../../../src/config/failpoints.js';
import type { Program } from '../program.js';
import type { Issues } from './issue.js';
import type { Ledger } from './ledger.js';

const ANSWER_MS = 30_000;
const POLL_MS = 20;

/** An answer; of a connection that was cut, the status is 0. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Sent {
  readonly method?: string;
  readonly body?: string | object;
  readonly contentType?: string;
}

/** Statuses that an error may be answered with, by what goes wrong. */
const ERROR_STATUS: Readonly<Record<FailpointKind, readonly number[]>> = {
  crash: [],
  slow: [],
  fail: [500, 503],
  eio: [500, 503],
  enospc: [507],
  short: [507],
};

/** A client that notes what is acknowledged, and every answer that no client may get. */
export class WalkClient {
  isGone = false;

  constructor(
    readonly program: Program,
    private readonly kind: FailpointKind | undefined,
    private readonly issues: Issues,
    private readonly ledger: Ledger,
  ) {
    void program.exited.then(() => {
      this.isGone = true;
    });
  }

  async send(path: string, { method = 'GET', body, contentType = 'application/json' }: Sent = {}): Promise<Answer> {
    const headers = { 'x-service-api-key': this.program.key, 'content-type': contentType };
    let status = 0;
    try {
      const response = await fetch(`${this.program.url}/api/v1${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      status = response.status;
      const text = await response.text();
      this.checkAnswer(`${method} ${path}`, status, text);
      return { status, text };
    } catch (error) {
      const { name } = error as Error;
      if (name === 'TimeoutError') this.issues.add('answer', `${method} ${path}: none within ${ANSWER_MS} ms`);
      // A result whose status was sent can only be cut.
      else if (this.kind !== 'crash' && status !== 200) this.issues.add('answer', `${method} ${path}: connection cut`);
      return { status: 0, text: '' };
    }
  }

  /** Starts SQL, waits for its end, and reads its result. */
  async execute(sql: string): Promise<string | undefined> {
    const { status, text } = await this.send('/sql/execute', { method: 'POST', body: { sql } });
    if (status !== 200) return undefined;
    const { execution_id: id } = JSON.parse(text) as { execution_id: string };
    this.ledger.started.add(id);
    if ((await this.untilEnded(id)) === 'QUERY_STATE_COMPLETED') await this.read(id);
    return id;
  }

  /** Waits for the end of an execution, and returns its last state. */
  async untilEnded(id: string, isEnough: (state: string) => boolean = () => false): Promise<string> {
    let last = '';
    await untilOr(ANSWER_MS, async () => {
      const { status, text } = await this.send(`/execution/${id}/status`);
      if (status !== 200) return this.isGone;
      const { state, is_execution_finished: isFinished } = JSON.parse(text);
      last = state;
      return isFinished || isEnough(state);
    });
    return last;
  }

  /** Reads a result both ways; it must read as it did before. */
  async read(id: string): Promise<void> {
    const json = await this.send(`/execution/${id}/results`);
    const csv = await this.send(`/execution/${id}/results/csv`);
    if (json.status !== 200 || csv.status !== 200) return;
    const known = this.ledger.results.get(id);
    if (!known) this.ledger.results.set(id, { json: json.text, csv: csv.text });
    else if (known.json !== json.text || known.csv !== csv.text) this.issues.add('lost', `${id} reads differently`);
  }

  private checkAnswer(call: string, status: number, text: string): void {
    if (status < 400) return;
    const isExpected = this.kind !== undefined && ERROR_STATUS[this.kind].includes(status);
    if (!isExpected || !isClear(text)) this.issues.add('answer', `${call}: ${status} ${text}`);
  }
}

function isClear(text: string): boolean {
  if (/\\n\s+at |node:|\/tmp\//.test(text)) return false;
  try {
    const { error, code } = JSON.parse(text);
    return typeof error === 'string' && typeof code === 'string';
  } catch {
    return false;
  }
}

/** Waits until something is so, but not longer than that. */
export async function untilOr(ms: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  const endsAt = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > endsAt) return false;
    await setTimeout(POLL_MS);
  }
  return true;
}
