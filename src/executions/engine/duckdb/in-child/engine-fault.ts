import { EngineError } from '../../../../duckdb/engine/engine-error.js';

/** What the engine refused or failed at while it worked on a statement. */
export class EngineFault extends Error {
  /**
   * @param type the engine's word for it, for example `Binder`, `Conversion`, `Out of Memory`.
   * @param byteOffset where in the text that was run, counted from 0 in UTF-8, when the engine tells.
   */
  constructor(
    readonly type: string,
    message: string,
    readonly byteOffset?: number,
  ) {
    super(message);
  }

  /** Reads an error as the engine gives it under `errors_as_json`; some errors come as plain text all the same. */
  static from(cause: unknown): EngineFault {
    const error = EngineError.from(cause);
    const fields = jsonFields(error.message);
    if (!fields) return new EngineFault(error.type, withoutStack(error.message));
    const { exception_type = error.type, exception_message = '', position } = fields;
    return new EngineFault(exception_type, withoutStack(exception_message), position === undefined ? undefined : Number(position));
  }
}

interface ErrorFields {
  readonly exception_type?: string;
  readonly exception_message?: string;
  readonly position?: string;
}

function jsonFields(text: string): ErrorFields | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as ErrorFields;
  } catch {
    return undefined;
  }
}

/** Internal errors carry a stack trace with paths of libraries. */
function withoutStack(message: string): string {
  return (message.split('Stack Trace')[0] ?? '').trimEnd();
}
