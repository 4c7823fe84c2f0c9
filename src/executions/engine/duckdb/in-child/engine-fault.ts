import { EngineError } from '../../../../duckdb/engine/engine-error.js';
import { csvFaultText } from './csv-fault-text.js';

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

  /** Not the engine failed, but the program around it. */
  get isBug(): boolean {
    return this.type === 'Unknown';
  }

  /** A file grew past what the operating system lets the process write. */
  get isFileTooLarge(): boolean {
    return this.type === 'IO' && this.message.includes('File too large');
  }

  /** Reads an error as the engine gives it under `errors_as_json`; some errors come as plain text all the same. */
  static from(cause: unknown): EngineFault {
    const error = EngineError.from(cause);
    const fields = jsonFields(error.message);
    if (!fields) return new EngineFault(error.type, readable(error.message));
    const { exception_type = error.type, exception_message = '', position } = fields;
    return new EngineFault(
      exception_type,
      readable(exception_message),
      position === undefined ? undefined : Number(position),
    );
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

/**
 * Ends at what is not for authors: stack traces with paths of libraries, and advice to change the engine's settings or to call its readers
 * differently.
 */
function readable(message: string): string {
  const [text = ''] = csvFaultText(message).split(
    /\s*(?:Stack Trace|Possible solutions:|Use "?SET \w|Database is launched |\nPossible fixes:|\nTry setting )/,
  );
  return text.trimEnd();
}
