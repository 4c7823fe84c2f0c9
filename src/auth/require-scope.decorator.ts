import { Reflector } from '@nestjs/core';
import type { Scope } from './scope.js';

/** The scope that a route needs, and what the error calls the action. */
export interface ScopeRequirement {
  readonly scope: Scope;
  /** As in `This API key may not <action>`. */
  readonly action: string;
}

/**
 * Sets the scope that a route, or every route of a controller, needs. Without it, GET needs `read`
 * and every other method `read_write`.
 *
 * @example `@RequireScope({ scope: 'admin', action: 'delete tables' })`
 */
export const RequireScope = Reflector.createDecorator<ScopeRequirement>();
