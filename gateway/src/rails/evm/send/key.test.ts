import { chmod, writeFile } from 'node:fs/promises';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import { expect, test } from 'vitest';
import { gasKeyFile } from '../../../../test/chain/sweep-fixtures.ts';
import { readGasKey } from './key.ts';

const call = {
  chainId: 56,
  nonce: 7,
  to: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
  data: '0x1234',
  gas: 9n,
} as const;

test('a key signs for the one chain and nonce, with and without a tip', async () => {
  const { file, address } = await gasKeyFile();
  const key = await readGasKey(file);
  expect(key).toMatchObject({ address, warning: null });
  const { signed } = await key.sign({ ...call, fees: { maxFee: 5n, tip: 2n } });
  expect(parseTransaction(signed)).toMatchObject({
    ...{ chainId: 56, nonce: 7, gas: 9n, type: 'eip1559' },
    ...{ maxFeePerGas: 5n, maxPriorityFeePerGas: 2n },
  });
  const recovered = await recoverTransactionAddress({ serializedTransaction: signed as `0x02${string}` });
  expect(recovered.toLowerCase()).toBe(address);
  const legacy = await key.sign({ ...call, fees: { maxFee: 5n, tip: null } });
  expect(parseTransaction(legacy.signed)).toMatchObject({ type: 'legacy', gasPrice: 5n, chainId: 56 });
});

test.skipIf(process.platform === 'win32')('a file that others can read is reported', async () => {
  const { file } = await gasKeyFile();
  await chmod(file, 0o644);
  expect((await readGasKey(file)).warning).toBe(`Others can read the gas key file ${file}: chmod 600 it`);
});

test.each(['', 'abc', '0'.repeat(64), `${'f'.repeat(64)}`, `0x${'1'.repeat(63)}`])(
  'a file that holds no key is refused, and its content is never shown: %j',
  async (text) => {
    const { file } = await gasKeyFile();
    await writeFile(file, text);
    const fault = await readGasKey(file).catch((error: Error) => error.message);
    expect(fault).toBe(`the gas key file ${file} must hold one private key: 64 hex digits`);
  },
);

test('a file that is not there is refused', async () => {
  await expect(readGasKey('/nowhere/gas.key')).rejects.toThrow('cannot be read (ENOENT)');
});
