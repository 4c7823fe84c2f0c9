import { Injectable, type PipeTransform } from '@nestjs/common';
import { InvalidQueryIdError } from './queries.errors.js';

/** Turns the `query_id` of a path into a number: a positive integer, as JSON can carry it. */
@Injectable()
export class ParseQueryId implements PipeTransform<string, number> {
  /** @throws {InvalidQueryIdError} */
  transform(text: string): number {
    const id = Number(text);
    if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) throw new InvalidQueryIdError(text);
    return id;
  }
}
