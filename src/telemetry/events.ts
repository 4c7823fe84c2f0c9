import { type Channel, channel } from 'node:diagnostics_channel';

/** Identifies an execution in events. */
interface OfExecution {
  readonly executionId: string;
}

/**
 * What happens in the service, for metrics and traces, by the name of its channel. Times are in
 * milliseconds.
 */
export interface TelemetryEvents {
  /** The row of an execution is in the catalog. Published in the context of the request. */
  'execution-submitted': OfExecution & { readonly performance: string };
  /** An execution has left the queue and runs. */
  'execution-begun': OfExecution & { readonly plan: string; readonly waitedMs: number };
  /** A run has entered a phase: `parse`, `resolve`, `bind`, `execute` or `commit`. */
  'run-phase': OfExecution & { readonly phase: string };
  /** An execution has reached a state that it does not leave by running. */
  'execution-ended': OfExecution & {
    readonly state: string;
    readonly performance: string;
    /** As in the status of the execution; absent if it did not fail. */
    readonly errorType?: string;
  };
  /** A child process is ready. */
  'child-started': { readonly kind: string };
  /** A child process is gone. */
  'child-ended': { readonly kind: string; readonly cause: 'killed' | 'died' };
  /** A request for a child process has been granted, or has waited too long. */
  'pool-waited': {
    readonly kind: string;
    readonly slotClass: string;
    readonly waitedMs: number;
    readonly isGranted: boolean;
  };
  /**
   * A read of a stored result has ended, in whichever way. Published in the context of the
   * request.
   */
  'read-ended': { readonly kind: string; readonly elapsedMs: number };
  /** Something was looked up in a cache. */
  'cache-lookup': { readonly cache: string; readonly isHit: boolean };
  /** A sweep has ended: how much it deleted, by kind. */
  'sweep-ended': { readonly deleted: Readonly<Record<string, number>> };
}

const channels = new Map<keyof TelemetryEvents, Channel>();

/** Looked up once: events are published for each statement of the catalog. */
function channelOf(name: keyof TelemetryEvents): Channel {
  const known = channels.get(name);
  if (known) return known;
  const opened = channel(`eider:${name}`);
  channels.set(name, opened);
  return opened;
}

/** Publishes an event. Costs next to nothing without a subscriber. */
export function publish<Name extends keyof TelemetryEvents>(name: Name, event: TelemetryEvents[Name]): void {
  channelOf(name).publish(event);
}

/** Calls the listener with each event of a name; the returned function ends that. */
export function subscribe<Name extends keyof TelemetryEvents>(
  name: Name,
  listener: (event: TelemetryEvents[Name]) => void,
): () => void {
  const onMessage = (message: unknown) => listener(message as TelemetryEvents[Name]);
  channelOf(name).subscribe(onMessage);
  return () => channelOf(name).unsubscribe(onMessage);
}
