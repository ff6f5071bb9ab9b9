import { keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { startChain, treasury } from '../../../../test/chain/chain.ts';
import { newId } from '../../../kit/ids.ts';
import artifact from './forwarder-factory.json' with { type: 'json' };
import { checksummed, factoryAddress, factoryCodeHash, forwarderAddress, paymentWord } from './forwarders.ts';

const { client } = await startChain({ assets: {} });

test('the address that is derived here is the one that the factory derives on the chain', async () => {
  for (let n = 0; n < 20; n++) {
    const payment = newId();
    const onChain = await client.readContract({
      address: factoryAddress,
      abi: artifact.abi,
      functionName: 'addressOf',
      args: [treasury, paymentWord(payment)],
    });
    expect(checksummed(forwarderAddress(treasury, payment))).toBe(onChain);
  }
});

test("the hash of the factory's code that is known here is that of the code on the chain", async () => {
  expect(keccak256((await client.getCode({ address: factoryAddress }))!)).toBe(factoryCodeHash);
});
