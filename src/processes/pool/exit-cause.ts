/** What a process wrote before it ended, and the words for it in the log. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/heap out of memory|Reached heap limit/i, 'its heap is full'],
  [/std::bad_alloc|cannot allocate memory/i, 'memory could not be allocated'],
  [/ERR_DLOPEN_FAILED|error while loading shared libraries/i, 'a library could not be loaded'],
  [/MODULE_NOT_FOUND|cannot find module/i, 'a file of the program is missing'],
  [/^sh: .*: (?:can't|cannot) cd to /im, 'its folder cannot be entered'],
  [/permission denied/i, 'permission denied'],
];

/** Classes of errors that can end a process of Node. */
const ERROR_CLASS = /^(?:Uncaught )?((?:Aggregate|Eval|Range|Reference|Syntax|Type|URI|Engine)?Error)\b/m;

/**
 * Why a process ended, by what it wrote to stderr, in words from a fixed list: its own words can
 * contain values of a query and paths of the server. Nothing if it wrote nothing.
 */
export function exitCause(stderr: string): string | undefined {
  if (stderr.trim() === '') return undefined;
  const [, errorClass] = ERROR_CLASS.exec(stderr) ?? [];
  const known = CAUSES.find(([pattern]) => pattern.test(stderr))?.[1];
  return known ?? (errorClass === undefined ? 'unknown' : `uncaught ${errorClass}`);
}
