/** Flags that concern the program itself, not `serve`. */
const PROGRAM_FLAGS: ReadonlySet<string> = new Set(['-h', '--help', '-V', '--version']);

/**
 * The words of a command line, `serve` put in if no command is named. Commander's own default
 * command would take a misspelt command for an argument of `serve`.
 */
export function withDefaultCommand(words: readonly string[]): string[] {
  const start = configFlagLength(words);
  const first = words[start];
  const namesCommand = first !== undefined && (!first.startsWith('-') || PROGRAM_FLAGS.has(first));
  if (!namesCommand) return words.toSpliced(start, 0, 'serve');
  // Commander's own `help` would show a command without its definitions, which it does not load.
  const asksForHelp = first === 'help' && words.length > start + 1;
  return asksForHelp ? [...words.toSpliced(start, 1), '--help'] : [...words];
}

/** How many words before the command are `--config` and its value. */
function configFlagLength([first]: readonly string[]): number {
  if (first === '--config') return 2;
  return first?.startsWith('--config=') ? 1 : 0;
}
