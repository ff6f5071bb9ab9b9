import { encodeAbiParameters, getCreate2Address, keccak256, parseAbiParameters } from 'viem';
import { expect, test } from 'vitest';
import { splitters } from '../../../../../contracts/test/splitting.ts';
import { startChain } from '../../../../test/chain/chain.ts';
import type { Hex } from '../config/chains.ts';
import { checksummed, factoryAddress } from './forwarders.ts';
import artifact from './splitter-factory.json' with { type: 'json' };
import {
  splitterAddress,
  splitterFactoryAddress,
  splitterFactoryCodeHash,
  splitterInitCodeHash,
} from './splitters.ts';

const chain = await startChain({ assets: {} });
await splitters(chain);
const { client } = chain;
const read = async (functionName: string, ...args: unknown[]) =>
  await client.readContract({
    address: splitterFactoryAddress,
    abi: artifact.abi,
    functionName,
    args,
  } as never);

test('the splitter that is derived here is the one that its factory derives on the chain', async () => {
  for (let n = 0; n < 20; n++) {
    const random = (): Hex => `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
    const split = { merchant: random(), host: random(), basisPoints: (n * 2_777) % 10_000 };
    const address = checksummed(splitterAddress(split));
    expect(address).toBe(await read('addressOf', split));
    // By hand, as the documentation shows it.
    const words = [split.merchant, split.host, BigInt(split.basisPoints)] as const;
    const salt = keccak256(encodeAbiParameters(parseAbiParameters('address, address, uint256'), words));
    const byHand = { from: splitterFactoryAddress, salt, bytecodeHash: splitterInitCodeHash };
    expect(getCreate2Address(byHand)).toBe(address);
  }
});

test('the hash of the code that is known here is that on the chain, and it names the factory of deposit addresses', async () => {
  expect(keccak256((await client.getCode({ address: splitterFactoryAddress }))!)).toBe(
    splitterFactoryCodeHash,
  );
  expect(await read('FORWARDERS')).toBe(checksummed(factoryAddress));
});

test('points that are no whole number below 10,000 are refused, and nobody is no side', () => {
  const split = { merchant: `0x${'11'.repeat(20)}`, host: `0x${'22'.repeat(20)}`, basisPoints: 250 } as const;
  for (const basisPoints of [-1, 0.5, 10_000, Number.NaN]) {
    expect(() => splitterAddress({ ...split, basisPoints })).toThrow(RangeError);
  }
  expect(() => splitterAddress({ ...split, host: `0x${'0'.repeat(40)}` })).toThrow(RangeError);
  expect(splitterAddress(split)).toMatch(/^0x[0-9a-f]{40}$/);
});
