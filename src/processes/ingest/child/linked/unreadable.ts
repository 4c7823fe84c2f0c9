import { ContentFault } from '../content-fault.js';

/** Files cannot be linked, for a reason that is a sentence of its own. */
export function unreadable(message: string, details: Readonly<Record<string, string | number>> = {}): ContentFault {
  return new ContentFault({ code: 'unreadable_files', message, details });
}
