import type { EngineCapabilities, EngineRun, RunRequest } from '../processes/run/run.js';

/** What every engine must do: run one SELECT within limits, and write its result as Parquet. */
export abstract class Engine {
  abstract readonly capabilities: EngineCapabilities;
  /** Whether it can start no run, for instance because no process can be started. */
  abstract readonly isFailing: boolean;
  /** Prepares the first runs, for instance by starting processes. */
  abstract open(): Promise<void>;
  abstract start(request: RunRequest): EngineRun;
  /** Cancels all runs, and ends every process. */
  abstract close(): Promise<void>;
}
