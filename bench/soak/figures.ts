import { residentBytes } from '../support.js';
import type { SoakService } from './soak-service.js';

interface Sample {
  readonly minute: number;
  readonly residentBytes: number;
  readonly descriptors: number;
}

/** Samples of the memory and the descriptors of a server process. */
export class Figures {
  readonly #samples: Sample[] = [];
  readonly #begunAt = performance.now();

  constructor(private readonly service: SoakService) {}

  async sample(): Promise<void> {
    this.#samples.push({
      minute: (performance.now() - this.#begunAt) / 60_000,
      residentBytes: await residentBytes(this.service.pid),
      descriptors: this.service.descriptorCount(),
    });
  }

  /** Growth a minute, by least squares over the samples after the warm-up, a third of the time. */
  slopes(): { memoryMb: number; descriptors: number } {
    const last = this.#samples.at(-1)?.minute ?? 0;
    const samples = this.#samples.filter(({ minute }) => minute >= last / 3);
    return {
      memoryMb: slope(samples.map(({ minute, residentBytes }) => [minute, residentBytes / 1e6])),
      descriptors: slope(samples.map(({ minute, descriptors }) => [minute, descriptors])),
    };
  }

  /** Memory in MB: the most. */
  peakMb(): number {
    return Math.max(...this.#samples.map(({ residentBytes }) => residentBytes)) / 1e6;
  }
}

function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [minute]) => sum + (minute - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, [minute, value]) => sum + (minute - x) * (value - y), 0) / spread;
}
