/** From the server to a syntax child. */
export interface ToSyntaxChild {
  readonly sql: string;
}

/** A syntax error of a text. */
export interface SyntaxIssue {
  readonly message: string;
  /** Offset in the text in UTF-16 code units, if the engine reports it. */
  readonly offset?: number;
}

/** From a syntax child to the server: that it is ready, then one answer for each text. */
export type FromSyntaxChild = { readonly kind: 'ready' } | { readonly kind: 'checked'; readonly issue?: SyntaxIssue };
