/** The type of an error without a type of the engine: reported as JSON, or not of the engine. */
export const UNTYPED = 'Unknown';

/** An error of the engine; `message` is its text without the type and the stack trace. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  /** @param type such as `Binder`, `Out of Memory`, `INTERRUPT`, `INTERNAL`. */
  constructor(
    readonly type: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** From what the addon threw, which need not be an `Error` of this realm. */
  static from(cause: unknown): EngineError {
    if (cause instanceof EngineError) return cause;
    const text = messageOf(cause);
    const [withoutStack = text] = text.split('\n\nStack Trace');
    const match = /^(?<type>[A-Za-z][A-Za-z ]*?) Error: (?<message>.*)$/s.exec(withoutStack);
    return new EngineError(match?.groups?.type ?? UNTYPED, match?.groups?.message ?? withoutStack, { cause });
  }
}

function messageOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'message' in cause ? String(cause.message) : String(cause);
}
