import { Reflector } from '@nestjs/core';
import type { Scope } from './scope.js';

/** What a route needs of a key, and how its refusal words what was tried. */
export interface ScopeRequirement {
  readonly scope: Scope;
  /** As in `This API key may not <action>`. */
  readonly action: string;
}

/**
 * Says what scope a route, or every route of a controller, needs. Without it, GET needs `read` and every other method
 * `read_write`.
 *
 * @example `@RequireScope({ scope: 'admin', action: 'delete tables' })`
 */
export const RequireScope = Reflector.createDecorator<ScopeRequirement>();
