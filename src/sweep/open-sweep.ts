import type { Catalog } from '../catalog/catalog.js';
import { Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import { ExecutionsRepository } from '../executions/executions.repository.js';
import { openResultStore, openTableStore } from '../storage/storage.module.js';
import { RemovedPartsRepository } from '../uploads/removed-parts.repository.js';
import { OrphanSweep } from './orphan-sweep.js';
import { OrphansRepository } from './orphans.repository.js';
import { ResultSweep } from './result-sweep.js';
import { SweepService } from './sweep.service.js';
import { TableSweep } from './table-sweep.js';

/** The sweep of a data folder outside of the service, as `eider sweep` runs it. */
export function openSweep(config: Config, catalog: Catalog): SweepService {
  const clock = new Clock();
  const orphans = new OrphanSweep(config, clock, new OrphansRepository(catalog));
  return new SweepService(
    clock,
    new ResultSweep(new ExecutionsRepository(catalog), openResultStore(config), orphans),
    new TableSweep(new RemovedPartsRepository(catalog), openTableStore(config), orphans),
  );
}
