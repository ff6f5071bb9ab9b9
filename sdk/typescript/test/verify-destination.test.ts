import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HashedBytes, JudgedDestination } from '../../conformance/cases.ts';
import { destinationAddress, type VerifyDestinationInput, verifyDestination } from '../src/index.ts';
import { keccak256 } from '../src/keccak.ts';

const read = <Data>(file: string): Data =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../conformance', file), 'utf8')) as Data;
const cases = read<JudgedDestination[]>('destinations.json');

const [first] = cases as [JudgedDestination];
const agreed = { merchant: '', host: '', basisPoints: 0, ...first.agreed };
const verify = (destination: object, terms: object = agreed) =>
  verifyDestination({ paymentId: first.paymentId, destination, agreed: terms } as VerifyDestinationInput);

test('addresses are judged as the gateway derives them', () => {
  for (const { name, verdict, ...given } of cases) {
    if (verdict === 'ok') expect(verifyDestination(given as VerifyDestinationInput), name).toBe(true);
    else {
      const refused = expect.objectContaining({ name: 'DestinationError', reason: verdict });
      expect(() => verifyDestination(given as VerifyDestinationInput), name).toThrow(refused);
    }
  }
});

test('the message says what should be and what is', () => {
  const other = `0x${'1'.repeat(40)}`;
  const address = { address: other };
  expect(() => verify({ ...address, host: other })).toThrow(
    `The host should be ${agreed.host} and is ${other}`,
  );
  const expected = destinationAddress(first.paymentId, agreed);
  expect(() => verify(address)).toThrow(`The address should be ${expected} and is ${other}`);
  expect(() => verify({})).toThrow(`The address should be ${expected} and is undefined`);
});

test('settings that are not set are refused, and never believed', () => {
  const refused = expect.objectContaining({ reason: 'bad_terms' });
  for (const terms of [{}, { ...agreed, merchant: undefined }, { ...agreed, basisPoints: '100' }]) {
    expect(() => verify({ address: '0x' }, terms)).toThrow(refused);
  }
  expect(() => verify({ address: '0x' }, { treasury: undefined })).toThrow('treasury is not an address');
});

test('Keccak-256 is that of chains', () => {
  const hashes = read<HashedBytes[]>('hashes.json');
  for (const { bytes, digest } of hashes) {
    expect(Buffer.from(keccak256(Buffer.from(bytes, 'base64'))).toString('hex')).toBe(digest);
  }
});
