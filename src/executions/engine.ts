import type { EngineCapabilities, EngineRun, RunRequest } from '../processes/run/run.js';

/** What every engine must do: run one SELECT within limits and leave its result as one Parquet file of this project's layout. */
export abstract class Engine {
  abstract readonly capabilities: EngineCapabilities;
  /** Makes ready, for instance by starting processes ahead. */
  abstract open(): Promise<void>;
  abstract start(request: RunRequest): EngineRun;
  /** Cancels what runs and leaves no process behind. */
  abstract close(): Promise<void>;
}
