import { keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { startChain, treasury } from '../../../../test/chain/chain.ts';
import { newId } from '../../../kit/ids.ts';
import { ownerText } from '../../owner.ts';
import artifact from './forwarder-factory.json' with { type: 'json' };
import { checksummed, factoryAddress, factoryCodeHash, forwarderAddress, ownerWord } from './forwarders.ts';

const { client } = await startChain({ assets: {} });

test('the address that is derived here is the one that the factory derives on the chain', async () => {
  for (let n = 0; n < 20; n++) {
    const kind = (['payment', 'top-up', 'user'] as const)[n % 3]!;
    const owner = ownerText({ kind, id: newId() });
    const onChain = await client.readContract({
      address: factoryAddress,
      abi: artifact.abi,
      functionName: 'addressOf',
      args: [treasury, ownerWord(owner)],
    });
    expect(checksummed(forwarderAddress(treasury, owner))).toBe(onChain);
  }
});

test("the hash of the factory's code that is known here is that of the code on the chain", async () => {
  expect(keccak256((await client.getCode({ address: factoryAddress }))!)).toBe(factoryCodeHash);
});

test('owners of two kinds with one id have addresses of their own', () => {
  const id = newId();
  const kinds = ['payment', 'top-up', 'user'] as const;
  const addresses = kinds.map((kind) => forwarderAddress(treasury, ownerText({ kind, id })));
  expect(new Set(addresses).size).toBe(kinds.length);
  expect(ownerWord(id)).toBe(`0x${id.replaceAll('-', '').padStart(64, '0')}`);
});
