/** What a case of the walk can find. */
export const ISSUE_KINDS = ['not fired', 'lost', 'stuck', 'doctor', 'answer', 'left', 'end'] as const;

/** Something that the service must not do, or a point that was not reached. */
export interface Issue {
  readonly kind: (typeof ISSUE_KINDS)[number];
  readonly detail: string;
}

/** Collects the issues of a case. */
export class Issues {
  readonly found: Issue[] = [];

  add(kind: Issue['kind'], detail: string): void {
    this.found.push({ kind, detail });
  }
}
