/** Longer names are compared by their beginning, so that no request can make this slow. */
const COMPARED_LENGTH = 64;

/** A shorter part of a name can be a part of many. */
const MIN_PART_LENGTH = 4;

/** The names most like the one that was written, nearest first, without regard to case. */
export function nearestNames(written: string, names: readonly string[], count = 3): readonly string[] {
  return names
    .map((name) => ({ name, distance: nameDistance(written, name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

/** How much two names differ, without regard to case: characters to insert, delete or replace. */
export function nameDistance(left: string, right: string): number {
  return editDistance(comparable(left), comparable(right));
}

/**
 * The name that was probably meant: one that differs in few characters, or of which a part was
 * written; if any.
 */
export function findMeantName(written: string, names: readonly string[]): string | undefined {
  const [nearest] = nearestNames(written, names, 1);
  const from = comparable(written);
  if (nearest !== undefined && editDistance(from, comparable(nearest)) <= Math.max(1, from.length / 4)) return nearest;
  return from.length < MIN_PART_LENGTH ? undefined : names.find((name) => comparable(name).includes(from));
}

function comparable(name: string): string {
  return name.slice(0, COMPARED_LENGTH).toLowerCase();
}

/** Levenshtein distance: insertions, deletions and replacements from one text to the other. */
function editDistance(from: string, to: string): number {
  let distances = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (distances[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (distances[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    distances = next;
  }
  return distances[to.length] ?? 0;
}
