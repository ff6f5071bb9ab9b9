import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type AddressKind = 'public' | 'loopback' | 'private';

// Azure's platform address: in a public range, but reachable from inside that cloud only.
const platformAddresses = new Set(['168.63.129.16']);

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an IP address, in any spelling (short, octal, hexadecimal or decimal IPv4, IPv4 inside IPv6),
 * belongs to the public internet. Every address that is neither public nor this machine's is `private`: local
 * networks, carrier NAT, cloud metadata, multicast, tunnels, documentation and other reserved ranges.
 * Returns null for a text that is no address.
 */
export function addressKind(text: string): AddressKind | null {
  if (isIPv6(text)) return kindOfV6(ipaddr.IPv6.parse(inHexadecimal(text)));
  return ipaddr.IPv4.isValid(text) ? kindOfV4(ipaddr.IPv4.parse(text)) : null;
}

function kindOfV4(address: ipaddr.IPv4): AddressKind {
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  return range === 'unicast' && !platformAddresses.has(address.toString()) ? 'public' : 'private';
}

function kindOfV6(address: ipaddr.IPv6): AddressKind {
  if (address.range() === 'loopback') return 'loopback';
  if (address.isIPv4MappedAddress()) return kindOfV4(address.toIPv4Address());
  if (address.match(nat64)) {
    // A NAT64 gateway would connect to the IPv4 address in the last four bytes.
    const target = new ipaddr.IPv4(address.toByteArray().slice(12));
    return kindOfV4(target) === 'public' ? 'public' : 'private';
  }
  return address.range() === 'unicast' && address.match(globalUnicast) ? 'public' : 'private';
}

/** Rewrites a dotted end in hexadecimal, because ipaddr.js reads `::1.2.3.4` as `::ffff:1.2.3.4`. */
export function inHexadecimal(text: string): string {
  const group = (high: string, low: string) =>
    (Number.parseInt(high, 10) * 256 + Number.parseInt(low, 10)).toString(16);
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_, ...bytes: string[]) => {
    const [a = '', b = '', c = '', d = ''] = bytes;
    return `${group(a, b)}:${group(c, d)}`;
  });
}

/** True for the host of an address that only programs on this machine reach: `localhost`, 127.0.0.1, ::1 or [::1]. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || addressKind(host.replace(/^\[|\]$/g, '')) === 'loopback';
}
