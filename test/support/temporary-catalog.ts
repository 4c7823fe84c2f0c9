import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Catalog } from '../../src/catalog/catalog.js';

/** A catalog in a folder of its own, which is gone once the test is over. */
export interface TemporaryCatalog {
  readonly catalog: Catalog;
  close(): Promise<void>;
}

/** Opens an empty catalog for one test. */
export async function openTemporaryCatalog(): Promise<TemporaryCatalog> {
  const dataDir = mkdtempSync(join(tmpdir(), 'catalog-'));
  const catalog = await Catalog.open(dataDir);
  return {
    catalog,
    close: async () => {
      await catalog.destroy();
      rmSync(dataDir, { recursive: true });
    },
  };
}
