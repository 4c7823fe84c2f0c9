import { EngineError, UNTYPED } from '../../../duckdb/connection/engine-error.js';
import { toCsvErrorText } from './csv-error-text.js';

/** An error of the engine while it worked on a statement. */
export class StatementError extends Error {
  /**
   * @param type the type that the engine reports, for example `Binder` or `Out of Memory`.
   * @param byteOffset offset in the text that was run, in bytes of UTF-8, if the engine reports it.
   * @param errno the error of the operating system, if the engine reports it.
   */
  constructor(
    readonly type: string,
    message: string,
    readonly byteOffset?: number,
    readonly errno?: number,
  ) {
    super(message);
  }

  /** Whether the error is one of the program, not of the engine. */
  get isBug(): boolean {
    return this.type === UNTYPED;
  }

  /** A file exceeded the size that the operating system allows. */
  get isFileTooLarge(): boolean {
    return this.type === 'IO' && this.errno === EFBIG;
  }

  /** The engine or its process has no memory left. */
  get isOutOfMemory(): boolean {
    return this.type === 'Out of Memory' || (BROKEN.has(this.type) && ALLOCATION_FAILURE.test(this.message));
  }

  /**
   * Parses an error as the engine writes it under `errors_as_json`. A message that begins with a
   * brace stays plain text after its type: the engine takes it for JSON already, and it can be a
   * text of the author, `error('{"exception_type": …}')`. So the type is the outermost one, and is
   * never read from a message.
   */
  static from(cause: unknown): StatementError {
    const error = EngineError.from(cause);
    const fields = jsonFields(error);
    if (!fields) return new StatementError(error.type, readable(error.message));
    const { exception_type = UNTYPED, exception_message = '', position, errno } = fields;
    return new StatementError(exception_type, readable(exception_message), toNumber(position), toNumber(errno));
  }
}

/** The operating system's code for a file that is too large. */
const EFBIG = 27;

/** Types of errors after which the engine cannot continue. */
const BROKEN = new Set(['INTERNAL', 'FATAL']);

/** The whole message, or the error that it quotes as the reason of later ones. */
const ALLOCATION_FAILURE = /(?:^|Original error: ")Memory allocation failure"?$/;

interface ErrorFields {
  readonly exception_type?: string;
  readonly exception_message?: string;
  readonly position?: string;
  readonly errno?: string;
}

/** Some errors of the parser are JSON after the word `Parser`. */
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
 * Removes what is not for authors: stack traces with paths of libraries, and advice to change
 * settings of the engine or to call its readers otherwise.
 */
function readable(message: string): string {
  const [text = ''] = toCsvErrorText(message).split(
    /\s*(?:Stack Trace|Possible solutions:|Use "?SET \w|Database is launched |\nPossible fixes:|\nTry setting )/,
  );
  return text.trimEnd();
}
