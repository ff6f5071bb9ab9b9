import { expect, test } from 'vitest';
import { addressKind } from './addresses.ts';

test.each([
  '1.1.1.1',
  '93.184.215.14',
  '8.8.2056',
  '0x08.0x08.0x08.0x08',
  '010.010.010.010',
  '134744072',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '198.17.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
  '2a00:1450:4001:82a::200e',
])('%s is public', (address) => {
  expect(addressKind(address)).toBe('public');
});

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.01',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
])('%s is this machine', (address) => {
  expect(addressKind(address)).toBe('loopback');
});

test.each([
  ['0', 'unspecified'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.1', 'private, short'],
  ['167772161', 'private, decimal'],
  ['0xa000001', 'private, hexadecimal'],
  ['012.0.0.1', 'private, octal'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'carrier NAT'],
  ['100.100.100.200', 'metadata'],
  ['169.254.169.254', 'metadata'],
  ['2852039166', 'metadata, decimal'],
  ['0xa9.0xfe.0xa9.0xfe', 'metadata, hexadecimal'],
  ['168.63.129.16', 'platform'],
  ['192.0.0.192', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.9', 'documentation'],
  ['198.18.0.1', 'benchmarking'],
  ['192.88.99.1', '6to4 relay'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::10.0.0.1', 'IPv4-compatible'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['::8.8.8.8', 'IPv4-compatible'],
  ['::ffff:10.0.0.1', 'IPv4-mapped'],
  ['::ffff:a9fe:a9fe', 'IPv4-mapped metadata'],
  ['::ffff:0:10.0.0.1', 'IPv4-translated'],
  ['64:ff9b::10.0.0.1', 'NAT64'],
  ['64:ff9b::7f00:1', 'NAT64 to a loopback address'],
  ['64:ff9b:1::1', 'local NAT64'],
  ['2002:7f00:1::', '6to4'],
  ['2002:808:808::1', '6to4'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['2001:2::1', 'benchmarking'],
  ['100::1', 'discard'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fc00::1', 'unique-local'],
  ['fd00:ec2::254', 'metadata'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['5f00::1', 'segment routing'],
  ['4000::1', 'unassigned'],
])('%s is not public: %s', (address) => {
  expect(addressKind(address)).toBe('private');
});

test.each(['example.com', '', '256.1.1.1', '1.2.3.4.5', '[::1]', '4294967296', '08.8.8.8', ' 1.1.1.1'])(
  '%j is no address',
  (text) => {
    expect(addressKind(text)).toBeNull();
  },
);
