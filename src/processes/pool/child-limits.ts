import { isSea } from 'node:sea';

/**
 * The limits of a child process. The operating system enforces them, except `residentBytes`. If one
 * is absent, the limit of the server applies.
 */
export interface ChildLimits {
  /** Heap of JavaScript in the child. */
  readonly heapMegabytes: number;
  /** Added to the niceness of the process: with 10, the server comes first. */
  readonly niceness: number;
  readonly openFiles: number;
  /** Resident memory above which the server kills the child while it works. */
  readonly residentBytes?: number;
  /** Private writable memory of all allocators together (RLIMIT_DATA). Enforced on Linux only. */
  readonly dataBytes?: number;
  /**
   * Size of any file that the child writes. A write past it is an ordinary error: Node ignores
   * SIGXFSZ.
   */
  readonly fileBytes?: number;
  /** Processor time of all threads together, after which the child is killed. */
  readonly cpuSeconds?: number;
}

/** `ulimit` counts `-f` in blocks of this size in every POSIX shell. */
const BLOCK_BYTES = 512;

/**
 * A shell script that sets the limits and becomes the child: `$1` is its folder, `$2` the Node
 * program, `$3` the script. The process asks to be the first that is killed when the machine is out
 * of memory.
 */
export function limitedCommand(limits: ChildLimits): string {
  const ulimits = [
    'ulimit -c 0',
    `ulimit -n ${limits.openFiles}`,
    limits.dataBytes && `ulimit -d ${Math.ceil(limits.dataBytes / 1024)}`,
    limits.fileBytes && `ulimit -f ${Math.ceil(limits.fileBytes / BLOCK_BYTES)}`,
    limits.cpuSeconds && `ulimit -t ${Math.ceil(limits.cpuSeconds)}`,
  ].filter(Boolean);
  const volunteer = '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null';
  const become = `cd "$1" && exec nice -n ${limits.niceness} "$2" ${heapFlag(limits)} "$3"`;
  return [...ulimits, volunteer, become].join('; ');
}

/**
 * The single executable accepts flags of Node in this form only: the rest of its command line is
 * for the program.
 */
function heapFlag({ heapMegabytes }: ChildLimits): string {
  const flag = `--max-old-space-size=${heapMegabytes}`;
  return isSea() ? `--node-options=${flag}` : flag;
}
