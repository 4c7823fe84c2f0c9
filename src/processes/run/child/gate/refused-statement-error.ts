/** The statement gate does not let a statement run; `message` tells its author why. */
export class RefusedStatementError extends Error {
  /** @param byteOffset where in the statement the fault lies, counted from 0 in UTF-8. */
  constructor(
    message: string,
    readonly byteOffset?: number,
  ) {
    super(message);
  }
}
