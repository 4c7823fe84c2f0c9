import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A command of a console block, and what the document shows as its output. */
export interface ConsoleCommand {
  readonly command: string;
  readonly shown: string;
}

/** What a run of the documents gives anew: ids of executions, and keys. */
const GIVEN_ANEW = /01[0-9A-HJKMNP-TV-Z]{24}|eider_[\w-]{32}/g;
const CONTINUES = /[\\|]$/;

/**
 * The commands of the `console` blocks of a page, in order. A command that ends in `\` or `|` goes
 * on.
 */
export function consoleCommands(markdown: string): ConsoleCommand[] {
  const blocks = Array.from(markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm), ([, text = '']) => text);
  return blocks.flatMap((text) => text.split(/^\$ /m).slice(1).map(toCommand));
}

function toCommand(text: string): ConsoleCommand {
  const lines = text.trimEnd().split('\n');
  const last = lines.findIndex((line) => !CONTINUES.test(line));
  return { command: lines.slice(0, last + 1).join('\n'), shown: lines.slice(last + 1).join('\n') };
}

/**
 * A shell session as a reader has it. Ids, keys, ports and folders of the documents stand for those
 * of this run from where they are first shown; see {@link matches} for what else may differ.
 */
export class DocumentSession {
  private readonly actual: Map<string, string>;
  private exports = '';

  constructor(
    replacements: Readonly<Record<string, string>>,
    private readonly folder: string,
  ) {
    this.actual = new Map(Object.entries(replacements));
  }

  /** Runs a command; gives its output, and notes `export`s for those that follow. */
  async run(command: string): Promise<string> {
    const line = this.inThisRun(command);
    // Without a terminal, curl would draw its progress. `npm run --silent eider --` takes a second
    // more.
    const eider = `(cd '${process.cwd()}' && shift 4 && '${process.execPath}' dist/main.js "$@")`;
    const script = `curl() { command curl -sS "$@"; }; npm() { ${eider}; };\n${this.exports}\n${line}`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { cwd: this.folder });
    if (line.startsWith('export ')) this.exports += `${line}\n`;
    return (stdout + stderr).replaceAll('\r', '').trimEnd();
  }

  /**
   * Whether an output is the one shown. `…` is any text, a line that begins with a space continues
   * the one before, instants and milliseconds are any, and so are ids and keys where they first
   * appear.
   */
  matches(shown: string, output: string): boolean {
    const fresh: string[] = [];
    const pattern = escaped(this.inThisRun(shown))
      .replaceAll(/\n +/g, '\\s*')
      .replaceAll(/ ?… ?/g, '[\\s\\S]*?')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\\\.\d{3}Z/g, '\\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}Z')
      // The names of backups.
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\\\.\d{3}Z/g, '\\d{4}-\\d\\d-\\d\\dT[\\d.-]{12}Z')
      .replaceAll(/(?<=_millis":)\d+/g, '\\d+')
      .replaceAll(GIVEN_ANEW, (value) => (this.isKnown(value) ? value : `(${fresh.push(value) && GIVEN_ANEW.source})`));
    const found = new RegExp(`^${pattern}$`).exec(output);
    for (const [index, value] of fresh.entries()) this.actual.set(value, found?.[index + 1] ?? value);
    return found !== null;
  }

  private isKnown(value: string): boolean {
    return [...this.actual.values()].includes(value);
  }

  private inThisRun(text: string): string {
    return [...this.actual].reduce((done, [shown, actual]) => done.replaceAll(shown, actual), text);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
