import { EngineError } from '../../../duckdb/connection/engine-error.js';
import { isDiskFull } from '../../../http/disk-full.error.js';
import type { EngineOptions, FromIngestChild, IngestJob, IngestOutcome, ToIngestChild } from '../ingest-messages.js';
import { ContentFault } from './content-fault.js';
import { appendCsv } from './csv/append-csv.js';
import { inferCsv } from './csv/infer-csv.js';
import { describeFiles } from './describe-files.js';
import { mergeParts, writeEmptyPart } from './merge-parts.js';
import { appendNdjson } from './ndjson/append-ndjson.js';
import { type IngestEngine, openEngine } from './open-engine.js';

/** Does the jobs that the server sends, one after the other. */
export class IngestServer {
  #engine: IngestEngine | undefined;

  constructor(private readonly send: (message: FromIngestChild) => void) {}

  receive(message: ToIngestChild): void {
    if (message.kind === 'open') void this.#open(message.options);
    else void this.#do(message.job);
  }

  async #open(options: EngineOptions): Promise<void> {
    this.#engine = await openEngine(options);
    this.send({ kind: 'ready' });
  }

  async #do(job: IngestJob): Promise<void> {
    try {
      if (!this.#engine) throw new Error('The engine is not open yet');
      this.send({ kind: 'done', outcomes: [await runJob(this.#engine, job)].flat() });
    } catch (error) {
      this.send(toAnswer(error));
    }
  }
}

function runJob(engine: IngestEngine, job: IngestJob): Promise<IngestOutcome | IngestOutcome[]> {
  switch (job.kind) {
    case 'infer-csv':
      return inferCsv(engine, job.source, job.target, job.options);
    case 'append-csv':
      return appendCsv(engine, job.source, job.target, job.columns, job.options);
    case 'append-ndjson':
      return appendNdjson(engine, job);
    case 'empty':
      return writeEmptyPart(engine, job.target, job.columns);
    case 'merge':
      return mergeParts(engine, job.sources, job.target, job.columns);
    case 'describe':
      return describeFiles(engine.connection, job.files, job.options);
  }
}

/** Every text was checked before the engine reads it, so that an error of the engine is never about the content. */
function toAnswer(error: unknown): FromIngestChild {
  if (error instanceof ContentFault) return { kind: 'refused', fault: error.fault };
  if (error instanceof EngineError && error.type === 'Out of Memory') return { kind: 'out-of-memory' };
  if (isDiskFull(error)) return { kind: 'disk-full' };
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
