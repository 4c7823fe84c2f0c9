/** Who reads. */
export interface ReadingClient {
  readonly accountId: string;
  /** Aborted when the client is gone: nobody takes the text of its reads any more. */
  readonly gone: AbortSignal;
}
