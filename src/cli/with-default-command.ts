/** Flags that concern the program itself, not `serve`. */
const PROGRAM_FLAGS: ReadonlySet<string> = new Set(['-h', '--help', '-V', '--version']);

/**
 * The words of a command line, `serve` put first if no command is named. Commander's own default
 * command would take a misspelt command for an argument of `serve`.
 */
export function withDefaultCommand(words: readonly string[]): string[] {
  const [first] = words;
  const namesCommand = first !== undefined && (!first.startsWith('-') || PROGRAM_FLAGS.has(first));
  return namesCommand ? [...words] : ['serve', ...words];
}
