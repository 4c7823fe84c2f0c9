/** A result has too many columns, or a row that is larger than a whole result may be. */
export class ResultTooLargeError extends Error {}
