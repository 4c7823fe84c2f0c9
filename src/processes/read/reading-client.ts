/** Who reads. */
export interface ReadingClient {
  readonly accountId: string;
  /** Aborted when the client is gone: the texts of its reads are not needed any more. */
  readonly gone: AbortSignal;
}
