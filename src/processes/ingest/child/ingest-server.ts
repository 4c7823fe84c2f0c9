import { EngineError } from '../../../duckdb/connection/engine-error.js';
import { isDiskFull } from '../../../http/disk-full.error.js';
import type { EngineOptions, FromIngestChild, IngestJob, IngestOutcome, ToIngestChild } from '../ingest-messages.js';
import { ContentError } from './content-error.js';
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
      this.send({ kind: 'done', outcome: await runJob(this.#engine, job) });
    } catch (error) {
      this.send(toAnswer(error));
    }
  }
}

function runJob(engine: IngestEngine, job: IngestJob): Promise<IngestOutcome> {
  switch (job.kind) {
    case 'infer-csv':
      return inferCsv(engine, job);
    case 'append-csv':
      return appendCsv(engine, job);
    case 'append-ndjson':
      return appendNdjson(engine, job);
    case 'empty':
      return writeEmptyPart(engine, job);
    case 'merge':
      return mergeParts(engine, job);
    case 'describe':
      return describeFiles(engine.connection, job.files, job.options);
  }
}

/** Every text is checked before the engine reads it: its errors are never about the content. */
function toAnswer(error: unknown): FromIngestChild {
  if (error instanceof ContentError) return { kind: 'refused', issue: error.issue };
  if (error instanceof EngineError && error.type === 'Out of Memory') return { kind: 'out-of-memory' };
  if (isDiskFull(error)) return { kind: 'disk-full' };
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
