import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import type { QueryId } from '../catalog/ids.js';
import { pathParameter } from '../http/path-parameter.js';
import { InvalidQueryIdError } from './queries.errors.js';

const SCHEMA = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

/** The `query_id` of a path. */
export function QueryIdParam(): ParameterDecorator {
  return pathParameter(Param('query_id', ParseQueryId), { name: 'query_id', example: 1, schema: SCHEMA });
}

/** Turns the `query_id` of a path into a number: a positive integer, as JSON can carry it. */
@Injectable()
export class ParseQueryId implements PipeTransform<string, QueryId> {
  /** @throws {InvalidQueryIdError} */
  transform(text: string): QueryId {
    const id = Number(text);
    if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) throw new InvalidQueryIdError(text);
    return id as QueryId;
  }
}
