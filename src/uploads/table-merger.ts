import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { failpoint } from '../config/failpoint.js';
import { Ingest } from '../processes/ingest/ingest.js';
import { findMergeable, MIN_PARTS, SMALL_PART_BYTES } from './find-mergeable.js';
import type { Table } from './table.js';
import { TableChangesRepository } from './table-changes.repository.js';
import { TablePartsService } from './table-parts.service.js';
import { TablesRepository } from './tables.repository.js';

type Mergeable = Pick<Table, 'id' | 'columns'>;

/**
 * Merges the small parts of tables in the background, so that a table of many small inserts reads
 * as fast as one that was uploaded at once. One merge at a time; one that another change overtakes
 * is dropped.
 */
@Injectable()
export class TableMerger implements OnModuleDestroy {
  private readonly logger = new Logger(TableMerger.name);
  private readonly waiting = new Map<string, Mergeable>();
  private working: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly tables: TablesRepository,
    private readonly changes: TableChangesRepository,
    private readonly parts: TablePartsService,
    private readonly ingest: Ingest,
  ) {}

  /** Merges what is due in a table soon; called after rows were added. */
  enqueue(table: Mergeable): void {
    if (this.isStopping) return;
    this.waiting.set(table.id, table);
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
  }

  /** Enqueues tables whose merge was due before the service started. */
  async enqueueAll(): Promise<void> {
    for (const table of await this.tables.listFragmented(MIN_PARTS, SMALL_PART_BYTES)) this.enqueue(table);
  }

  /** Settles once nothing waits for a merge. */
  async whenIdle(): Promise<void> {
    while (this.working) await this.working;
  }

  /** Begins no more merges, and waits for the one under way. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    this.waiting.clear();
    await this.whenIdle();
  }

  private async work(): Promise<void> {
    for (let [next] = this.waiting.values(); next; [next] = this.waiting.values()) {
      this.waiting.delete(next.id);
      await this.merge(next).catch((error: unknown) =>
        this.logger.error({ err: error }, 'Parts of a table could not be merged'),
      );
    }
  }

  private async merge({ id, columns }: Mergeable): Promise<void> {
    const small = findMergeable(await this.tables.listParts(id));
    if (!small) return;
    const merged = await this.ingest.merge(this.parts.pathsOf(small), columns);
    await failpoint('parts-merged');
    const blobs = small.map(({ blob }) => blob);
    const isMerged = await this.parts.commit(merged, async (part) => {
      await failpoint('merge-stored');
      return this.changes.merge(id, blobs, part);
    });
    await failpoint('merge-committed');
    if (isMerged) this.enqueue({ id, columns });
  }
}
