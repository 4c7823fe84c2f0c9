import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { isValid } from 'ulid';
import type { ExecutionId } from '../catalog/ids.js';
import { pathParameter } from '../http/path-parameter.js';
import { EXECUTION_ID } from './dto/execution-id.schema.js';
import { InvalidExecutionIdError } from './executions.errors.js';

/** Characters can be in either case. */
const PATTERN = '^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$';

/** The `execution_id` of a path. */
export function ExecutionIdParam(): ParameterDecorator {
  const { description, example } = EXECUTION_ID;
  const schema = { type: 'string', pattern: PATTERN } as const;
  const documented = { name: 'execution_id', description, example, schema };
  return pathParameter(Param('execution_id', ParseExecutionId), documented);
}

/** @throws InvalidExecutionIdError if a text is no ULID, in upper or lower case. */
export function parseExecutionId(text: string): ExecutionId {
  if (!isValid(text)) throw new InvalidExecutionIdError(text);
  return text.toUpperCase() as ExecutionId;
}

/** Turns the `execution_id` of a path into the id that the catalog has. */
@Injectable()
export class ParseExecutionId implements PipeTransform<string, ExecutionId> {
  transform(text: string): ExecutionId {
    return parseExecutionId(text);
  }
}
