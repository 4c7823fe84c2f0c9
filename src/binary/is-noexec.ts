/**
 * Whether a folder lies on a file system from which the system loads no code.
 *
 * @param folder without symbolic links.
 * @param mounts the text of `/proc/self/mounts`.
 */
export function isNoexec(folder: string, mounts: string): boolean {
  const containing = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, point = '', , options = '']) => ({ point: decodeOctal(point), options: options.split(',') }))
    .filter(({ point }) => `${folder}/`.startsWith(point === '/' ? '/' : `${point}/`));
  // Of several mounts at one point the last one is visible.
  const [nearest] = containing.toReversed().toSorted((a, b) => b.point.length - a.point.length);
  return nearest?.options.includes('noexec') ?? false;
}

/** The system writes spaces, tabs, line ends and backslashes in octal: `\040`. */
function decodeOctal(point: string): string {
  return point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
