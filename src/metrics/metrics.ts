import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { subscribe } from '../telemetry/events.js';

/** Seconds, from a page in the cache to a long run. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/**
 * The counters and histograms of a service, filled by {@link TelemetryEvents}. Names and labels
 * are a contract with dashboards and alerts: docs/operations.md, "Metrics", lists them.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #unsubscribe: readonly (() => void)[];
  readonly #requests = this.#histogram('eider_http_request_duration_seconds', 'Time until the end of the answer', [
    'method',
    'route',
    'status',
  ]);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#unsubscribe = [...this.#observeExecutions(), ...this.#observeProcesses(), ...this.#observeStorage()];
  }

  /**
   * @param route the pattern of the path, such as `/api/v1/query/:query_id`; never the path
   * itself.
   */
  observeRequest(method: string, route: string, status: number, elapsedMs: number): void {
    this.#requests.observe({ method, route, status }, elapsedMs / 1000);
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.registry.clear();
  }

  #observeExecutions(): (() => void)[] {
    const submitted = this.#counter('eider_executions_submitted_total', 'Executions submitted', ['performance']);
    const waited = this.#histogram('eider_execution_queue_seconds', 'Time that executions waited for a slot', ['plan']);
    const ended = this.#counter('eider_executions_ended_total', 'Executions that ended', ['state', 'error_type']);
    const ran = this.#histogram('eider_execution_duration_seconds', 'Time that executions ran', ['performance']);
    const begunAt = new Map<string, number>();
    return [
      subscribe('execution-submitted', ({ performance }) => submitted.inc({ performance })),
      subscribe('execution-begun', ({ executionId, plan, waitedMs }) => {
        waited.observe({ plan }, waitedMs / 1000);
        begunAt.set(executionId, performance.now());
      }),
      subscribe('execution-ended', ({ executionId, state, errorType = '', ...execution }) => {
        ended.inc({ state, error_type: errorType });
        const begun = begunAt.get(executionId);
        if (begun === undefined) return;
        begunAt.delete(executionId);
        ran.observe({ performance: execution.performance }, (performance.now() - begun) / 1000);
      }),
    ];
  }

  #observeProcesses(): (() => void)[] {
    const started = this.#counter('eider_child_starts_total', 'Child processes started', ['kind']);
    const ended = this.#counter('eider_child_ends_total', 'Child processes that ended', ['kind', 'cause']);
    const waited = this.#histogram('eider_child_wait_seconds', 'Time that work waited for a child process', [
      'kind',
      'slot_class',
    ]);
    const refused = this.#counter('eider_child_refusals_total', 'Work refused because it waited too long', ['kind']);
    const reads = this.#histogram('eider_read_duration_seconds', 'Time until the end of a read', ['kind']);
    return [
      subscribe('child-started', ({ kind }) => started.inc({ kind })),
      subscribe('child-ended', ({ kind, cause }) => ended.inc({ kind, cause })),
      subscribe('pool-waited', ({ kind, slotClass, waitedMs, isGranted }) => {
        waited.observe({ kind, slot_class: slotClass }, waitedMs / 1000);
        if (!isGranted) refused.inc({ kind });
      }),
      subscribe('read-ended', ({ kind, elapsedMs }) => reads.observe({ kind }, elapsedMs / 1000)),
    ];
  }

  #observeStorage(): (() => void)[] {
    const looked = this.#counter('eider_cache_lookups_total', 'Lookups in caches', ['cache', 'outcome']);
    const sweeps = this.#counter('eider_sweeps_total', 'Sweeps', []);
    const deleted = this.#counter('eider_swept_total', 'What sweeps deleted', ['kind']);
    return [
      subscribe('cache-lookup', ({ cache, isHit }) => looked.inc({ cache, outcome: isHit ? 'hit' : 'miss' })),
      subscribe('sweep-ended', (event) => {
        sweeps.inc();
        for (const [kind, count] of Object.entries(event.deleted)) deleted.inc({ kind }, count);
      }),
    ];
  }

  /** A value that is read when metrics are collected. */
  addGauge(name: string, help: string, labelNames: string[], read: () => Promise<GaugeValue[]> | GaugeValue[]): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const { labels = {}, value } of await read()) this.set(labels, value);
      },
    });
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }
}

/** One value of a gauge. */
export interface GaugeValue {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}
