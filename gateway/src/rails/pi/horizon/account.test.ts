import { Account, Keypair, MuxedAccount } from '@stellar/stellar-sdk';
import { expect, test } from 'vitest';
import { isAccount, isDestination, muxedIdOf } from './account.ts';

const address = Keypair.random().publicKey();
const muxed = new MuxedAccount(new Account(address, '0'), '18446744073709551615').accountId();

test('an address is one whose checksum is right', () => {
  expect(isAccount(address)).toBe(true);
  expect(isDestination(address)).toBe(true);
  for (let at = 0; at < address.length; at++) {
    const other = address[at] === 'A' ? 'B' : 'A';
    expect(isAccount(address.slice(0, at) + other + address.slice(at + 1))).toBe(false);
  }
});

test('a part of an account is a destination and no account', () => {
  expect(isDestination(muxed)).toBe(true);
  expect(isAccount(muxed)).toBe(false);
  expect(isDestination(`${muxed.slice(0, -1)}=`)).toBe(false);
});

test('a part of an account has a number', () => {
  expect(muxedIdOf(address, muxed)).toBe(18446744073709551615n);
  expect(muxedIdOf(Keypair.random().publicKey(), muxed)).toBeNull();
  expect(muxedIdOf(address, address)).toBeNull();
});

test.each(['', 'G', Keypair.random().secret(), address.toLowerCase(), ` ${address}`, address.slice(1)])(
  'nothing else is: %#',
  (text) => {
    expect(isDestination(text)).toBe(false);
  },
);
