import { readFile } from 'node:fs/promises';
import { isIPv6, type Socket } from 'node:net';

/**
 * Where Linux lists the connections of this network namespace, with the bytes in their send queues
 * (proc(5)).
 */
const LISTS = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/**
 * Bytes of a connection that the system still keeps, because the client's system has not
 * acknowledged them. They become fewer in small steps, while a full socket takes new ones in steps
 * of a third of its buffer, which can be megabytes. Undefined where the system does not list them.
 */
export async function unacknowledgedBytes({
  localAddress = '',
  localPort = 0,
  remoteAddress = '',
  remotePort = 0,
}: Socket): Promise<number | undefined> {
  const ends = `${endpoint(localAddress, localPort)} ${endpoint(remoteAddress, remotePort)} `;
  const list = await readFile(LISTS[isIPv6(localAddress) ? 1 : 0] as string, 'latin1').catch(() => '');
  const place = list.indexOf(ends);
  if (place < 0) return undefined;
  // The state follows, in two digits, and the send queue, in eight.
  const [, queued = ''] = list.slice(place + ends.length, place + ends.length + 11).split(' ');
  return Number.parseInt(queued, 16);
}

/** An address and port as Linux lists them: words of four bytes, the last byte first. */
function endpoint(address: string, port: number): string {
  const words = addressBytes(address).map((byte) => byte.toString(16).padStart(2, '0'));
  const text = [];
  for (let index = 0; index < words.length; index += 4) text.push(...words.slice(index, index + 4).reverse());
  return `${text.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

function addressBytes(address: string): number[] {
  if (!isIPv6(address)) return address.split('.').map(Number);
  // The URL parser writes every address in one way: without a zone and with IPv4 parts as words.
  const [head = '', tail] = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1).split('::');
  const toWords = (text: string) => (text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16)));
  const [before, after] = [toWords(head), toWords(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: zeros }, () => 0), ...after];
  return all.flatMap((word) => [word >> 8, word & 0xff]);
}
