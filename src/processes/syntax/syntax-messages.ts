/** What the server sends to a syntax child. */
export interface ToSyntaxChild {
  readonly sql: string;
}

/** Why a text is not SQL. */
export interface SyntaxIssue {
  readonly message: string;
  /** Where in the text, in UTF-16 code units, where the engine reports it. */
  readonly offset?: number;
}

/** What a syntax child sends to the server: that it is ready, then one answer for each text. */
export type FromSyntaxChild = { readonly kind: 'ready' } | { readonly kind: 'checked'; readonly issue?: SyntaxIssue };
