import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inCatalogOf } from '../in-catalog.js';
import { Program } from '../program.js';
import { Issues } from './issue.js';
import { Ledger } from './ledger.js';
import { WalkClient } from './walk-client.js';

/** Parts of the table `many`: one more, and they are merged. */
export const PARTS = 15;

/** A statement whose result is in the folder. */
export const THOUSAND_ROWS = `SELECT range AS n, 'row "' || range || '", é' AS text FROM range(1000)`;

/** A data folder with results, tables and a backup, and what must be read of it. */
export class PreparedFolder {
  private constructor(
    readonly path: string,
    readonly ledger: Ledger,
    readonly known: {
      /** Executions whose results can be deleted. */
      readonly spare: readonly string[];
      /** An execution that the backup does not have. */
      readonly late: string;
    },
  ) {}

  get dataDir(): string {
    return join(this.path, 'data');
  }

  get backups(): string {
    return join(this.path, 'backups');
  }

  static async make(): Promise<PreparedFolder> {
    const path = await mkdtemp(join(tmpdir(), 'eider-faults-'));
    const folder = new PreparedFolder(path, new Ledger(), { spare: [], late: '' });
    const program = await Program.serve({ DATA_DIR: folder.dataDir });
    try {
      return new PreparedFolder(path, folder.ledger, await folder.fill(program));
    } finally {
      await program.stop('SIGTERM');
    }
  }

  async copy(): Promise<PreparedFolder> {
    const path = await mkdtemp(join(tmpdir(), 'eider-faults-'));
    await cp(this.path, path, { recursive: true });
    return new PreparedFolder(path, this.ledger.copy(), this.known);
  }

  inCatalog(sql: string) {
    return inCatalogOf(this.dataDir, sql);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  private async fill(program: Program): Promise<PreparedFolder['known']> {
    const issues = new Issues();
    const client = new WalkClient(program, undefined, issues, this.ledger);
    const upload = (table_name: string, data: string) =>
      client.send('/table/upload/csv', { method: 'POST', body: { table_name, data } });
    // The part of the first one waits for the sweep.
    for (const rows of ['0', '1\n2']) await this.ledger.change('sizes', rows, () => upload('sizes', `n\n${rows}\n`));
    await this.ledger.change('many', '0', () => upload('many', 'n\n0\n'));
    for (let row = 1; row < PARTS; row++) await insertInto(client, 'many', `n\n${row}\n`);
    this.ledger.tables.set('many', [Array.from({ length: PARTS }, (_, row) => row).join('\n')]);
    await client.execute(THOUSAND_ROWS);
    await client.execute('SELECT * FROM sizes');
    const spare = [await client.execute('SELECT 3 AS spare'), await client.execute('SELECT 4 AS spare')];
    const { code, output } = await Program.run(['backup', this.backups], { DATA_DIR: this.dataDir }).exited;
    // The next backup has something to copy, beside what it links.
    const late = (await client.execute('SELECT 5 AS late')) ?? '';
    if (code !== 0 || issues.found.length > 0) throw new Error(`Not prepared: ${output} ${JSON.stringify(issues)}`);
    return { spare: spare.filter((id) => id !== undefined), late };
  }
}

/** Inserts rows into a table of the account. */
export function insertInto(client: WalkClient, table: string, body: string, contentType = 'text/csv') {
  return client.send(`/table/demo/${table}/insert`, { method: 'POST', body, contentType });
}
