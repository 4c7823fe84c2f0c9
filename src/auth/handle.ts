import { isEngineSchema } from '../types/schema-name.js';

const HANDLE = /^[a-z][a-z0-9_]{0,62}$/;

/** Why a text cannot be a handle, if so. The handle is the namespace of an account's tables. */
export function findHandleIssue(text: string): string | undefined {
  if (!HANDLE.test(text))
    return 'a handle is a lower-case letter, then lower-case letters, digits or _, at most 63 characters';
  // An account of that name would hide the schema or be hidden by it.
  if (isEngineSchema(text)) return `the handle ${text} is the name of a schema of the engine`;
  return undefined;
}
