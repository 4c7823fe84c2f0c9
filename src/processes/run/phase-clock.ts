import type { RunFailure } from './run.js';
import type { RunPhase } from './run-messages.js';

/** Parsing and looking at the syntax; only a statement made to be slow takes this long. */
const PARSE_LIMIT_MS = 3000;

/** Binding, which computes what is constant, cannot be interrupted. */
const BIND_LIMIT_MS = 5000;

/** A run that may take long may also bind for longer: this part of its time. */
const BIND_SHARE = 1 / 60;

const WORDS: Record<RunPhase, string> = {
  parse: 'to be understood',
  resolve: 'to find its tables',
  bind: 'to be prepared',
  execute: 'to run',
};

/** Holds a run to the time that it may take as a whole, and to those of its phases. */
export class PhaseClock {
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param onExpired called once, with the limit in words.
   * @param startedAt when the run began, by `performance.now()`: its time counts from then.
   */
  constructor(
    private readonly timeoutMs: number,
    private readonly onExpired: (failure: RunFailure) => void,
    private readonly startedAt = performance.now(),
  ) {
    this.enter('parse');
  }

  /** Begins a phase; the one before it is over. */
  enter(phase: RunPhase): void {
    clearTimeout(this.#timer);
    const leftMs = this.timeoutMs - (performance.now() - this.startedAt);
    const phaseMs = this.#phaseLimitMs(phase);
    const limitMs = phaseMs < leftMs ? phaseMs : this.timeoutMs;
    const words = phaseMs < leftMs ? WORDS[phase] : WORDS.execute;
    const message = `The statement took longer ${words} than its limit of ${limitMs / 1000} seconds`;
    this.#timer = setTimeout(
      () => this.onExpired({ type: 'FAILED_TYPE_TIMEOUT', message }),
      Math.max(0, Math.min(phaseMs, leftMs)),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #phaseLimitMs(phase: RunPhase): number {
    if (phase === 'parse') return PARSE_LIMIT_MS;
    if (phase === 'bind') return Math.max(BIND_LIMIT_MS, this.timeoutMs * BIND_SHARE);
    return Number.POSITIVE_INFINITY;
  }
}
