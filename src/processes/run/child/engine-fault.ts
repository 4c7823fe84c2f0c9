import { EngineError, UNTYPED } from '../../../duckdb/connection/engine-error.js';
import { csvFaultText } from './csv-fault-text.js';

/** What the engine refused or failed at while it worked on a statement. */
export class EngineFault extends Error {
  /**
   * @param type the engine's word for it, for example `Binder`, `Conversion`, `Out of Memory`.
   * @param byteOffset where in the text that was run, counted from 0 in UTF-8, when the engine tells.
   * @param errno what the operating system answered, when the engine tells.
   */
  constructor(
    readonly type: string,
    message: string,
    readonly byteOffset?: number,
    readonly errno?: number,
  ) {
    super(message);
  }

  /** Not the engine failed, but the program around it. */
  get isBug(): boolean {
    return this.type === UNTYPED;
  }

  /** A file grew past what the operating system lets the process write. */
  get isFileTooLarge(): boolean {
    return this.type === 'IO' && this.errno === EFBIG;
  }

  /** Memory ran out: the engine's own, or what the operating system gives to the process. */
  get isOutOfMemory(): boolean {
    return this.type === 'Out of Memory' || (BROKEN.has(this.type) && ALLOCATION_FAILURE.test(this.message));
  }

  /**
   * Reads an error as the engine gives it under `errors_as_json`. A message that begins with a brace stays plain text behind its type: the
   * engine takes it for JSON already, and it can be a text of the author, `error('{"exception_type": …}')`. The type is the outermost one
   * therefore, and never read out of a message.
   */
  static from(cause: unknown): EngineFault {
    const error = EngineError.from(cause);
    const fields = jsonFields(error);
    if (!fields) return new EngineFault(error.type, readable(error.message));
    const { exception_type = UNTYPED, exception_message = '', position, errno } = fields;
    return new EngineFault(exception_type, readable(exception_message), toNumber(position), toNumber(errno));
  }
}

/** The operating system's code for a file that is too large. */
const EFBIG = 27;

/** What the engine calls errors after which it cannot go on. */
const BROKEN = new Set(['INTERNAL', 'FATAL']);

/** All of the message, or the error that it quotes as the reason of those that follow. */
const ALLOCATION_FAILURE = /(?:^|Original error: ")Memory allocation failure"?$/;

interface ErrorFields {
  readonly exception_type?: string;
  readonly exception_message?: string;
  readonly position?: string;
  readonly errno?: string;
}

/** The engine puts some errors of its parser, as JSON, behind the word `Parser` once more. */
function jsonFields({ type, message }: EngineError): ErrorFields | undefined {
  if (type !== UNTYPED && type !== 'Parser') return undefined;
  const fields = parseFields(message);
  return type === UNTYPED || fields?.exception_type === type ? fields : undefined;
}

function parseFields(text: string): ErrorFields | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as ErrorFields;
  } catch {
    return undefined;
  }
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
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
