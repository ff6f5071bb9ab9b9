import { expect, test } from 'vitest';
import { amountText, assetName, nameNetworks } from './amount.ts';

test.each([
  ['0', '0.00'],
  ['999', '999.00'],
  ['1000', '1,000.00'],
  ['1234567.5', '1,234,567.50'],
  ['0.25', '0.25'],
  ['0.0000001', '0.0000001'],
  ['-12345.678901', '−12,345.678901'],
  ['123456789012345678901234.000000000000000001', '123,456,789,012,345,678,901,234.000000000000000001'],
])('%s is written as %s', (amount, written) => {
  expect(amountText(amount)).toBe(written);
});

test.each([
  ['12340.5', 'EUR', '12,340.50'],
  ['7480', 'JPY', '7,480'],
  ['16.25', 'KWD', '16.250'],
  ['3', 'PI', '3.00'],
  ['3', 'CSK', '3.00'],
  ['0.5', 'USDC', '0.50'],
])('%s %s is written as %s', (amount, currency, written) => {
  expect(amountText(amount, currency)).toBe(written);
});

test('an asset is named with its network, known or not', () => {
  nameNetworks({ pi: 'Pi Network', 'usdc-erc20': 'Ethereum', 'usdt-bep20': 'BNB Smart Chain' });
  expect(['pi', 'usdc-erc20', 'usdt-bep20', 'csk-some-chain'].map(assetName)).toEqual([
    'PI',
    'USDC on Ethereum',
    'USDT on BNB Smart Chain',
    'CSK on some-chain',
  ]);
});
