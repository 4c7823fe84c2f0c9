import { isIPv4, isIPv6 } from 'node:net';

/** Whether a text is the origin of a URL that a client can call, such as `https://sql.example.org:8443`. */
export function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^/?#\\@\s]+$/.test(text)) return false;
  return URL.canParse(text);
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Whether a text is an IP address, a network such as `10.0.0.0/8`, or the name of networks of
 * one kind.
 */
export function isNetwork(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true;
  const [, address = '', bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const width = (isIPv4(address) && 32) || (isIPv6(address) && 128) || 0;
  return width > 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= width));
}

/** Whether a text is a URL of HTTP or HTTPS. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
