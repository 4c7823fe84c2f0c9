/** What the operating system holds a child process to. A limit left out is the server's own. */
export interface ChildLimits {
  /** Heap of JavaScript in the child. */
  readonly heapMegabytes: number;
  /** Added to the process's niceness: 10 leaves the processor to the server whenever it wants it. */
  readonly niceness: number;
  readonly openFiles: number;
  /** Private writable memory, whoever allocates it (RLIMIT_DATA). Holds on Linux only. */
  readonly dataBytes?: number;
  /** Size of any file that the child writes. Node ignores SIGXFSZ, so that a write past it is an ordinary error. */
  readonly fileBytes?: number;
  /** Processor time of all threads together, after which the child is killed. */
  readonly cpuSeconds?: number;
}

/** `ulimit` counts `-f` in blocks of this size in every POSIX shell. */
const BLOCK_BYTES = 512;

/**
 * A shell script that takes on the limits and becomes the child: `$1` is its folder, `$2` the Node program, `$3` the script.
 * The process asks to be the first to go when the machine is out of memory.
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
  const become = `cd "$1" && exec nice -n ${limits.niceness} "$2" --max-old-space-size=${limits.heapMegabytes} "$3"`;
  return [...ulimits, volunteer, become].join('; ');
}
