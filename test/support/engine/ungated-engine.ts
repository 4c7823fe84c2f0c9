import { resolve } from 'node:path';
import { type Child, spawnChild } from '../../../src/processes/pool/child.js';
import { watchMemory } from '../../../src/processes/pool/memory-watchdog.js';
import { untilReady } from '../../../src/processes/pool/until-ready.js';
import { childLimits, maxResidentBytes } from '../../../src/processes/run/child-budget.js';
import type { RunLimits } from '../../../src/processes/run/run.js';
import type { FromUngatedChild, ToUngatedChild } from './ungated-messages.js';

/** How a statement ended without the gate: with rows, stopped by the engine or a limit, or by its time. */
export type UngatedEnding = Exclude<FromUngatedChild, { kind: 'ready' }> | { readonly kind: 'timeout' };

/** A child keeps the memory of every engine that it has opened. */
const MAX_STATEMENTS = 4;

/** Runs statements, one at a time, under all the limits of a run but the statement gate, in a child that is replaced when it dies. */
export class UngatedEngine {
  private statements = 0;
  private child: Promise<Child<ToUngatedChild, FromUngatedChild>> | undefined;

  constructor(
    private readonly folder: string,
    private readonly limits: RunLimits,
  ) {}

  async run(message: ToUngatedChild, timeoutMs: number): Promise<UngatedEnding> {
    this.child ??= this.start();
    const child = await this.child;
    let ending: UngatedEnding = { kind: 'stopped' };
    const kill = (reason: UngatedEnding) => {
      ending = reason;
      child.kill();
    };
    const timer = setTimeout(kill, timeoutMs, { kind: 'timeout' });
    const stopWatch = watchMemory(child.pid ?? 0, maxResidentBytes(this.limits), () => kill({ kind: 'stopped' }));
    let stopListening = () => {};
    const answer = new Promise<UngatedEnding>((settle) => {
      stopListening = child.onMessage((told) => told.kind !== 'ready' && settle(told));
    });
    child.send(message);
    const first = await Promise.race([answer, child.exited.then(() => ending)]);
    clearTimeout(timer);
    stopWatch();
    stopListening();
    if (child.hasExited) this.child = undefined;
    this.statements += 1;
    if (this.statements % MAX_STATEMENTS === 0) await this.renew();
    return first;
  }

  /** Ends the child, so that the next statement gets another. */
  async renew(): Promise<void> {
    const child = await this.child;
    this.child = undefined;
    child?.kill();
    await child?.exited;
  }

  private async start(): Promise<Child<ToUngatedChild, FromUngatedChild>> {
    const script = resolve('dist/test/ungated.child.cjs');
    const child: Child<ToUngatedChild, FromUngatedChild> = spawnChild({
      script,
      folder: this.folder,
      limits: childLimits(this.limits),
    });
    await untilReady(child, 20_000);
    return child;
  }
}
