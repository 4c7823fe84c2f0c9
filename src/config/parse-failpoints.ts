import { FAILPOINT_KINDS, FAILPOINTS, type FailpointKind, type FailpointName } from './failpoints.js';

/** One entry of `TEST_FAILPOINT`: what happens, and from which time on the point is reached. */
export interface ArmedFailpoint {
  readonly name: FailpointName;
  readonly kind: FailpointKind;
  /** Counted from 1. */
  readonly nth: number;
  /** Whether it also happens each time after that. */
  readonly isRepeated: boolean;
}

const ENTRY = /^([a-z-]+)=([a-z]+)(?:@([1-9]\d{0,8})(\+)?)?$/;

/** Reads `name=kind[@n][+]`, separated by commas; what has an issue is left out. */
export function parseFailpoints(text: string): ArmedFailpoint[] {
  return entriesOf(text).flatMap((entry) => {
    const [, name = '', kind = '', nth = '1', plus] = ENTRY.exec(entry) ?? [];
    if (!isName(name) || !isKindOf(name, kind)) return [];
    return [{ name, kind, nth: Number(nth), isRepeated: plus !== undefined }];
  });
}

/** Finds what is wrong with a list of failpoints, as the end of a sentence about the setting. */
export function findFailpointIssue(text: string): string | undefined {
  for (const [index, entry] of entriesOf(text).entries()) {
    const [, name = '', kind = ''] = ENTRY.exec(entry) ?? [];
    const where = `has in its entry ${index + 1}`;
    if (name === '') return `${where} no text of the form name=kind, name=kind@2 or name=kind@2+`;
    if (!isName(name)) return `${where} a name that is no failpoint: docs/reliability.md lists them`;
    if (!isKindOf(name, kind)) return `${where} a kind that ${name} does not have: use ${kindsOf(name).join(', ')}`;
  }
  return undefined;
}

function entriesOf(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}

function isName(name: string): name is FailpointName {
  return Object.hasOwn(FAILPOINTS, name);
}

function isKindOf(name: FailpointName, kind: string): kind is FailpointKind {
  return kindsOf(name).some((known) => known === kind);
}

function kindsOf(name: FailpointName): FailpointKind[] {
  const { kinds } = FAILPOINTS[name];
  return FAILPOINT_KINDS.filter((kind) => kinds.some((known) => known === kind));
}
