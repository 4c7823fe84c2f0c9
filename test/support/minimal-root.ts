import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Program } from './program.js';

const UNPRIVILEGED = 65_534;
const SYSTEM_PROGRAMS = ['/bin/sh', '/usr/bin/nice', '/usr/bin/mkfifo'];

/**
 * Runs a program with a folder as its root file system, mounted read-only except `/home` and
 * `/tmp`, from `/home`. All mounts are in a namespace that ends with the program, so that the
 * folder outside of it can be deleted at any time.
 */
const RUN_IN_ROOT = `
  root=$1 && shift
  PATH=$PATH:/usr/sbin
  for path in "$root" "$root/home" "$root/tmp"; do mount --bind "$path" "$path"; done
  mount --rbind /proc "$root/proc"
  mount --bind /dev/null "$root/dev/null"
  mount -t tmpfs -o noexec,mode=0700,uid=$USER_ID tmpfs "$root/noexec"
  mount -o remount,ro,bind "$root"
  exec chroot $USERSPEC "$root" /bin/sh -c 'cd /home && unset OLDPWD PWD PATH USER_ID USERSPEC && exec /eider "$@"' sh "$@"`;

/**
 * A root file system with the single executable and what it requires of a system: no Node, no
 * packages, no network tools.
 */
export class MinimalRoot {
  /** Root needs no user namespace, which some systems forbid. */
  private readonly isRoot = process.getuid?.() === 0;
  /** The program's working directory, as seen from outside. */
  readonly work: string;

  private constructor(private readonly folder: string) {
    this.work = join(folder, 'home');
  }

  /** Fills an empty folder. */
  static async fill(folder: string, executable: string): Promise<MinimalRoot> {
    const root = new MinimalRoot(folder);
    for (const name of ['home', 'tmp', 'proc', 'dev', 'noexec']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'dev/null'), '');
    symlinkSync('/proc/self/fd', join(folder, 'dev/fd'));
    cpSync(executable, join(folder, 'eider'));
    for (const path of [...SYSTEM_PROGRAMS, ...librariesOf([executable, ...SYSTEM_PROGRAMS])]) root.copyIn(path);
    for (const path of [root.work, join(folder, 'tmp')]) {
      await chmod(path, 0o700);
      if (root.isRoot) await chown(path, UNPRIVILEGED, UNPRIVILEGED);
    }
    return root;
  }

  /** Starts the executable as a user without privileges, with these variables alone. */
  start(words: readonly string[], variables: Readonly<Record<string, string>> = {}): Program {
    const namespace = ['--mount', '--propagation', 'private', ...(this.isRoot ? [] : ['--map-root-user'])];
    const command = ['sh', '-euc', RUN_IN_ROOT, 'sh', this.folder, ...words];
    return Program.start('unshare', [...namespace, ...command], {
      PATH: process.env.PATH,
      USER_ID: this.isRoot ? `${UNPRIVILEGED}` : '0',
      USERSPEC: this.isRoot ? `--userspec=${UNPRIVILEGED}:${UNPRIVILEGED}` : '',
      ...variables,
    });
  }

  private copyIn(path: string): void {
    const target = join(this.folder, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(realpathSync(path), target);
  }
}

/** The libraries that the dynamic loader finds for programs, and the loader itself. */
function librariesOf(programs: readonly string[]): Set<string> {
  const text = execFileSync('ldd', programs, { encoding: 'utf8' });
  return new Set([...text.matchAll(/(?:=>|^)\s+(\/\S+) \(/gm)].map(([, path = '']) => resolve(path)));
}
