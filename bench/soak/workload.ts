import { setTimeout } from 'node:timers/promises';
import type { Ledger } from './ledger.js';
import type { SoakService } from './soak-service.js';

const END_STATES = /COMPLETED|FAILED|CANCELLED|EXPIRED/;
const MAX_ROWS = 5_000;
const TABLES = 4;
const INSERT_ROWS = 50;
const POLL_MS = 50;
/** A table that exists is not created again. */
const CONFLICT = 409;

/** What the clients read of replies. */
interface Reply {
  readonly execution_id: string;
  readonly state: string;
}

const chance = (probability: number) => Math.random() < probability;
const below = (end: number) => Math.floor(Math.random() * end);

/** The clients of the soak test. Any request can fail while processes are killed. */
export class Workload {
  #isOver = false;

  constructor(
    private readonly service: SoakService,
    private readonly ledger: Ledger,
  ) {}

  /** Runs all clients until {@link end}. */
  async run(): Promise<void> {
    const clients = [this.executes(), this.executes(), this.executes(), this.reads(), this.reads(), this.inserts()];
    await Promise.all([...clients, this.uploads(), this.sweeps()]);
  }

  end(): void {
    this.#isOver = true;
  }

  private async executes(): Promise<void> {
    await this.repeat('execute', async () => {
      const rows = below(MAX_ROWS);
      const sql = chance(0.1)
        ? 'SELECT count(*) FROM range(100000) a, range(100000) b WHERE a.range * b.range = -1'
        : `SELECT range AS n, md5(range::VARCHAR) AS hash, random() AS value FROM range(${rows})`;
      const { execution_id: id } = await this.json('/sql/execute', 'POST', JSON.stringify({ sql }));
      this.ledger.started.add(id);
      const cancelAt =
        chance(0.2) || sql.startsWith('SELECT count') ? Date.now() + below(1_000) : Number.POSITIVE_INFINITY;
      for (;;) {
        const { state } = await this.json(`/execution/${id}/status`);
        if (END_STATES.test(state)) return this.ended(id, state);
        if (Date.now() > cancelAt) await this.json(`/execution/${id}/cancel`, 'POST', '');
        await setTimeout(POLL_MS);
      }
    });
  }

  private async ended(id: string, state: string): Promise<void> {
    this.ledger.count(state);
    if (state === 'QUERY_STATE_COMPLETED') this.ledger.noteResult(id, await this.text(`/execution/${id}/results/csv`));
  }

  private async reads(): Promise<void> {
    await this.repeat('read', async () => {
      const known = [...this.ledger.results.keys()];
      const id = known[below(known.length)];
      if (id === undefined) await setTimeout(POLL_MS);
      else if (chance(0.5)) this.ledger.noteResult(id, await this.text(`/execution/${id}/results/csv`));
      else
        await this.json(
          `/execution/${id}/results?limit=100&offset=${below(MAX_ROWS)}&sort_by=hash&filters=n%20%3E%20${below(50)}`,
        );
    });
  }

  private async inserts(): Promise<void> {
    for (let table = 0; table < TABLES; table++)
      await this.repeat(
        'create',
        async () => {
          const schema = [{ name: 'n', type: 'integer' }];
          const body = JSON.stringify({ table_name: `soak_${table}`, schema });
          const { status } = await this.service.fetch('/table/create', 'POST', body);
          if (status !== 200 && status !== CONFLICT) throw new Error(`create: ${status}`);
        },
        1,
      );
    await this.repeat('insert', async () => {
      const table = `soak_${below(TABLES)}`;
      const lines = Array.from({ length: INSERT_ROWS }, (_, n) => `{"n":${n}}\n`).join('');
      const sent = this.service.fetch(`/table/demo/${table}/insert`, 'POST', lines, 'application/x-ndjson');
      const response = await sent.catch(() => undefined);
      // A server that was killed, or an answer 5xx, leaves open whether the rows are there.
      const isAnswered = response?.ok === true;
      const isRefused = response !== undefined && response.status < 500 && !response.ok;
      if (!isRefused) this.ledger.noteInsert(table, INSERT_ROWS, isAnswered);
      if (!isAnswered) throw new Error(`insert: ${response?.status}`);
      await response.text();
    });
  }

  private async uploads(): Promise<void> {
    await this.repeat('upload', async () => {
      const rows = Array.from({ length: below(2_000) + 1 }, (_, n) => `${n},text ${n}`);
      const body = JSON.stringify({ table_name: 'soak_upload', data: `n,text\n${rows.join('\n')}\n` });
      await this.json('/table/upload/csv', 'POST', body);
      await setTimeout(200);
    });
  }

  private async sweeps(): Promise<void> {
    await this.repeat('sweep', async () => {
      const { code, output } = await this.service.command('sweep', '--json');
      if (code !== 0) throw new Error(output);
      await setTimeout(3_000);
    });
  }

  /** Repeats a client's work; an error is counted, and followed by a pause. */
  private async repeat(name: string, work: () => Promise<void>, times = Number.POSITIVE_INFINITY): Promise<void> {
    for (let time = 0; time < times && !this.#isOver; time++) {
      try {
        await work();
        this.ledger.count(name);
      } catch {
        this.ledger.count(`${name} failed`);
        await setTimeout(100);
        if (Number.isFinite(times)) time--;
      }
    }
  }

  private async json(path: string, method = 'GET', body?: string): Promise<Reply> {
    return JSON.parse(await this.text(path, method, body)) as Reply;
  }

  private async text(path: string, method = 'GET', body?: string): Promise<string> {
    const response = await this.service.fetch(path, method, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    return text;
  }
}
