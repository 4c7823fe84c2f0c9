/**
 * An error that the operator of the service can correct. The message states how, and is shown
 * without a stack trace.
 */
export class OperatorError extends Error {}
