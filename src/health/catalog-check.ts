import { Injectable, Logger } from '@nestjs/common';
import { CatalogProbeRepository } from './catalog-probe.repository.js';
import type { NotReadyIssue } from './health.errors.js';

/** Below the time that supervisors wait for an answer. */
const MAX_WAIT_MS = 3_000;

/** Checks that the catalog can be read and written, in time. */
@Injectable()
export class CatalogCheck {
  readonly #logger = new Logger(CatalogCheck.name);
  /** A write that takes long is not sent again: it may wait for another process. */
  #writing: Promise<void> | undefined;

  constructor(private readonly probe: CatalogProbeRepository) {}

  async findIssues(): Promise<NotReadyIssue[]> {
    try {
      await this.probe.read();
    } catch (error) {
      return this.#issue(error, 'its catalog cannot be read (the log has the reason)');
    }
    try {
      return (await this.#isWrittenInTime()) ? [] : [{ cause: 'catalog_failed', text: 'its catalog does not answer' }];
    } catch (error) {
      return this.#issue(error, 'its catalog cannot be written (the log has the reason)');
    }
  }

  async #isWrittenInTime(): Promise<boolean> {
    this.#writing ??= this.probe.write().finally(() => {
      this.#writing = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS, false);
    });
    return await Promise.race([this.#writing.then(() => true), late]).finally(() => clearTimeout(timer));
  }

  #issue(error: unknown, text: string): NotReadyIssue[] {
    this.#logger.error({ err: error }, 'The catalog failed a check of the health');
    return [{ cause: 'catalog_failed', text }];
  }
}
