/** The type of an error that has no word of the engine's for it: the engine reports it as JSON, or it is none of the engine's. */
export const UNTYPED = 'Unknown';

/** An error that the engine reported; `message` is its text without the kind and without a stack trace. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  /** @param type the engine's word for it, for example `Binder`, `Out of Memory`, `INTERRUPT`, `INTERNAL`. */
  constructor(
    readonly type: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** From whatever the addon threw, which need not be an `Error` of this realm. */
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
