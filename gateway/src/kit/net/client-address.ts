import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { inHexadecimal } from './addresses.ts';

/** Providers give each customer at least this network, and the customer may use any address in it. */
const networkOfOne = 64;
const ipv4Length = 32;
const ipv6Length = 128;
const withPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * The address of a client as the connection or a proxy names it: strict spellings only, perhaps with a port. An
 * IPv4-mapped address is the IPv4 one. Null for a text that is no address.
 */
function clientAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, bracketed, dotted] = withPort.exec(text) ?? [];
  const host = bracketed ?? dotted ?? text;
  if (isIPv6(host)) return ipaddr.process(inHexadecimal(host));
  return isIPv4(host) ? ipaddr.IPv4.parse(host) : null;
}

/** The key of a client in rate limits: an IPv4 address, or the /64 network of an IPv6 address. */
export function clientKey(text: string): string {
  // The fast path for nearly every request; an IPv4 address has only one spelling.
  if (isIPv4(text)) return text;
  const address = clientAddress(text);
  // One key for all unreadable texts: otherwise each would count as a new client.
  if (address === null) return 'unreadable';
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = new ipaddr.IPv6([...address.parts.slice(0, networkOfOne / 16), 0, 0, 0, 0]);
  return `${network.toString()}/${networkOfOne}`;
}

/** Whether a client's address lies in `range`: one address or a CIDR block. */
export function isClientWithin(range: string, text: string): boolean {
  const address = clientAddress(text);
  if (address === null) return false;
  const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.process(range), undefined];
  if (network.kind() !== address.kind()) return false;
  const prefix = bits ?? (network.kind() === 'ipv4' ? ipv4Length : ipv6Length);
  return address.match([network, prefix] as [ipaddr.IPv4, number]);
}
