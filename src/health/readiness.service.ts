import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/config.js';
import { formatSize } from '../config/units.js';
import { Engine } from '../executions/engine.js';
import { Draining } from '../http/draining.js';
import { Ingest } from '../processes/ingest/ingest.js';
import { Reader } from '../processes/read/reader.js';
import { SyntaxChecker } from '../processes/syntax/syntax-checker.js';
import { CatalogCheck } from './catalog-check.js';
import { NotReadyError, type NotReadyIssue } from './health.errors.js';

/** How long the outcome of a check is used again, however many ask. */
const CACHE_MS = 1_000;

/** Finds out whether the service can do its work, and logs each change. */
@Injectable()
export class ReadinessService {
  readonly #logger = new Logger(ReadinessService.name);
  #last: { readonly begunAt: number; readonly issues: Promise<NotReadyIssue[]> } | undefined;
  #lastCauses = '';

  constructor(
    private readonly config: Config,
    private readonly draining: Draining,
    private readonly catalog: CatalogCheck,
    private readonly engine: Engine,
    private readonly reader: Reader,
    private readonly ingest: Ingest,
    private readonly syntaxChecker: SyntaxChecker,
  ) {}

  /** @throws NotReadyError with every cause that holds. */
  async requireReady(): Promise<void> {
    const issues = [...this.#findDraining(), ...(await this.#checkOnce())];
    const error = issues.length > 0 ? new NotReadyError(issues) : undefined;
    this.#logChange(error);
    if (error) throw error;
  }

  async #checkOnce(): Promise<NotReadyIssue[]> {
    const now = performance.now();
    if (this.#last === undefined || now - this.#last.begunAt >= CACHE_MS)
      this.#last = { begunAt: now, issues: this.#check() };
    return await this.#last.issues;
  }

  async #check(): Promise<NotReadyIssue[]> {
    return [...(await this.#findFullDisk()), ...(await this.catalog.findIssues()), ...this.#findFailingPools()];
  }

  #findDraining(): NotReadyIssue[] {
    return this.draining.hasBegun ? [{ cause: 'draining', text: 'it is stopping' }] : [];
  }

  async #findFullDisk(): Promise<NotReadyIssue[]> {
    const { DATA_DIR, MIN_FREE_DISK } = this.config;
    const { bavail, bsize } = await statfs(DATA_DIR);
    const freeBytes = bavail * bsize;
    if (freeBytes >= MIN_FREE_DISK) return [];
    const free = `its disk has ${formatSize(freeBytes)} free`;
    return [{ cause: 'disk_full', text: `${free}, less than MIN_FREE_DISK (${formatSize(MIN_FREE_DISK)})` }];
  }

  #findFailingPools(): NotReadyIssue[] {
    const pools = { runs: this.engine, reads: this.reader, uploads: this.ingest, 'syntax checks': this.syntaxChecker };
    const failing = Object.entries(pools).filter(([, pool]) => pool.isFailing);
    if (failing.length === 0) return [];
    const names = failing.map(([name]) => name).join(' and ');
    return [{ cause: 'no_process', text: `no process for ${names} can be started (the log has the reason)` }];
  }

  #logChange(error: NotReadyError | undefined): void {
    const causes = error?.details.causes.join() ?? '';
    if (causes === this.#lastCauses) return;
    this.#lastCauses = causes;
    if (error) this.#logger.warn({ causes: error.details.causes }, error.message);
    else this.#logger.log('The service is ready again');
  }
}
