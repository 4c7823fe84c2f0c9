/** A result has more columns than can be stored, or a row that is larger than a whole result may be. */
export class ResultTooLargeError extends Error {}
