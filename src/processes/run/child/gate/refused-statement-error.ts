/** The statement gate rejects a statement; `message` states why. */
export class RefusedStatementError extends Error {
  /** @param byteOffset offset of the error in the statement in bytes of UTF-8. */
  constructor(
    message: string,
    readonly byteOffset?: number,
  ) {
    super(message);
  }
}
