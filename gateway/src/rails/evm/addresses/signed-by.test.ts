import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { signedBy } from './signed-by.ts';

const account = privateKeyToAccount(generatePrivateKey());
const address = account.address.toLowerCase();
const text = 'Payment: PAY_1\nTo: Zürich, 東京';

test('the address that signed a text is found from its signature, also without 0x and in capitals', async () => {
  const signature = await account.signMessage({ message: text });
  expect(signedBy(text, signature)).toBe(address);
  expect(signedBy(text, signature.slice(2))).toBe(address);
  expect(signedBy(text, signature.slice(2).toUpperCase())).toBe(address);
});

test('a signature whose last byte is 0 or 1, as some hardware wallets write it, is as good', async () => {
  const signature = await account.signMessage({ message: text });
  const v = Number.parseInt(signature.slice(-2), 16) - 27;
  expect(signedBy(text, `${signature.slice(0, -2)}0${v}`)).toBe(address);
});

test('the signature of another text, or of a raw hash, is not by that address', async () => {
  const signature = await account.signMessage({ message: text });
  expect(signedBy(`${text}.`, signature)).not.toBe(address);
});

test.each([
  ['nothing', ''],
  ['something shorter', '0x1234'],
  ['something longer', `0x${'11'.repeat(66)}`],
  ['no number of the curve', `0x${'00'.repeat(65)}`],
  ['too large a number', `0x${'ff'.repeat(64)}1b`],
  ['no last byte that is known', `0x${'11'.repeat(64)}55`],
])('%s is no signature', async (_, signature) => {
  expect(signedBy(text, signature)).toBeNull();
});
