import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { subscribe, type TelemetryEvents } from '../telemetry/events.js';

/** The spans of an execution that has not ended: the whole, and the stage that it is in. */
interface OpenExecution {
  readonly span: Span;
  readonly context: Context;
  stage?: Span;
}

/** The stage that a phase of a run begins; the other phases belong to the stage before them. */
const STAGES: Readonly<Record<string, string>> = { parse: 'gate', execute: 'engine', commit: 'write' };

/**
 * Spans of executions: `execution`, and in it `queue`, `gate`, `engine` and `write`, one after
 * the other.
 *
 * @param findParent the span of the request that submits an execution, if there is one.
 * @returns a function that ends the observation.
 */
export function traceExecutions(tracer: Tracer, findParent: () => Span | undefined): () => void {
  const open = new Map<string, OpenExecution>();

  function begin(executionId: string): OpenExecution {
    const parent = findParent();
    const parentContext = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const span = tracer.startSpan('execution', { attributes: { 'eider.execution': executionId } }, parentContext);
    const execution = { span, context: trace.setSpan(ROOT_CONTEXT, span) };
    open.set(executionId, execution);
    return execution;
  }

  function enter(execution: OpenExecution | undefined, stage: string): void {
    if (!execution) return;
    execution.stage?.end();
    execution.stage = tracer.startSpan(stage, {}, execution.context);
  }

  function end({ executionId, state, errorType }: TelemetryEvents['execution-ended']): void {
    const execution = open.get(executionId);
    if (!execution) return;
    open.delete(executionId);
    execution.stage?.end();
    execution.span.setAttribute('eider.state', state);
    if (errorType !== undefined) execution.span.setStatus({ code: SpanStatusCode.ERROR, message: errorType });
    execution.span.end();
  }

  const unsubscribe = [
    subscribe('execution-submitted', ({ executionId }) => enter(begin(executionId), 'queue')),
    // After a restart an execution begins that was submitted before it.
    subscribe('execution-begun', ({ executionId }) => {
      const execution = open.get(executionId) ?? begin(executionId);
      execution.stage?.end();
      execution.stage = undefined;
    }),
    subscribe('run-phase', ({ executionId, phase }) => {
      const stage = STAGES[phase];
      if (stage !== undefined) enter(open.get(executionId), stage);
    }),
    subscribe('execution-ended', end),
  ];
  return () => {
    for (const each of unsubscribe) each();
  };
}
