import { InvalidRequestError } from '../../http/common.errors.js';
import type { RunChoices } from '../executions.service.js';
import type { RunCall } from '../run-call.decorator.js';
import type { ExecuteQueryDto } from './execute-query.dto.js';

/**
 * What the caller chose, from the body and the query string, where the body wins. In the query
 * string the parameters stand as JSON in `query_parameters`, or one by one as `params.<name>`.
 *
 * @throws InvalidRequestError if `query_parameters` in the query string is no JSON object.
 */
export function toRunChoices(body: ExecuteQueryDto, { query, origin }: RunCall): RunChoices {
  const performance = body.performance ?? query.performance;
  const parameters = body.query_parameters ?? {
    ...toNamedParameters(query),
    ...toJsonParameters(query.query_parameters),
  };
  return { performance: performance === 'large' ? 'large' : 'medium', parameters, origin };
}

function toJsonParameters(text: unknown): Record<string, unknown> {
  if (text === undefined) return {};
  const value = typeof text === 'string' ? tryParseJson(text) : undefined;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new InvalidRequestError(
      'query_parameters: must be a JSON object of parameter name to value, such as {"limit": 10}',
    );
  }
  return value as Record<string, unknown>;
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toNamedParameters(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.entries(query).filter(([name]) => name.startsWith('params.'));
  return Object.fromEntries(named.map(([name, value]) => [name.slice('params.'.length), value]));
}
