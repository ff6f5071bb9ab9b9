import { expect, test } from 'vitest';
import { clientKey, isClientWithin } from './client-address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001:0:0:0:5', '2001:db8:0:1::/64'],
  ['[2001:db8:0:1::9]:51234', '2001:db8:0:1::/64'],
  ['[2001:db8:0:1::9]', '2001:db8:0:1::/64'],
  ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['::203.0.113.7', '::/64'],
])('the limits know %s as %s', (address, key) => {
  expect(clientKey(address)).toBe(key);
});

test.each([
  '',
  'unknown',
  '0x7f.1',
  '134744072',
  '010.0.0.1',
  '1.2.3.4.5',
  '[1.2.3.4',
  '_hidden',
  'x'.repeat(500),
])('%j is no address, and all such texts are one client', (text) => {
  expect(clientKey(text)).toBe('unreadable');
  expect(isClientWithin('0.0.0.0/0', text)).toBe(false);
  expect(isClientWithin('::/0', text)).toBe(false);
});

test('a range of a key holds whole addresses, not networks of one client', () => {
  expect(isClientWithin('2001:db8::1', '2001:db8::1')).toBe(true);
  expect(isClientWithin('2001:db8::1', '2001:db8::2')).toBe(false);
  expect(isClientWithin('203.0.113.0/24', '203.0.113.9:443')).toBe(true);
});
