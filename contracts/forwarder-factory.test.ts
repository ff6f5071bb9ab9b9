import { describe, expect, test } from 'vitest';
import { newId } from '../gateway/src/kit/ids.ts';
import artifact from '../gateway/src/rails/evm/addresses/forwarder-factory.json' with { type: 'json' };
import { factoryAddress, ownerWord } from '../gateway/src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { accounts, startChain } from '../gateway/test/chain/chain.ts';
import { deployOddToken, type OddKind } from '../gateway/test/chain/test-tokens.ts';
import { compiled } from '../scripts/contracts.ts';
import {
  callers,
  flushCall,
  freshAddress,
  nativeCoin,
  openPayments,
  stranger,
  sweepCall,
} from './test/fixtures.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const { client } = chain;
const usdc = chain.tokens['usdc-bep20']!;
const { send, pay, sweep, isDeployed, implementation } = callers(chain);

describe('a sweep', () => {
  test('moves all that the addresses hold, deploys each once, and can be done again', async () => {
    const { destination, payments, addresses } = openPayments(3);
    for (const round of [1n, 2n]) {
      await pay(usdc, addresses, 7n);
      expect(await sweep(usdc.address, destination, payments)).toMatchObject({ succeeded: true, failed: [] });
      expect(await usdc.balanceOf(destination)).toBe(round * 21n);
    }
  });

  test('of nothing deploys nothing and tells nothing', async () => {
    const { destination, payments, addresses } = openPayments(2);
    expect(await sweep(usdc.address, destination, payments)).toMatchObject({ succeeded: true, failed: [] });
    expect(await isDeployed(addresses[0]!)).toBe(false);
    expect(await sweep(usdc.address, destination, [])).toMatchObject({ succeeded: true, failed: [] });
  });

  test('takes a payment that is named twice once', async () => {
    const { destination, payments, addresses } = openPayments(1);
    await pay(usdc, [addresses[0]!], 5n);
    const twice = [...payments, ...payments];
    expect(await sweep(usdc.address, destination, twice)).toMatchObject({ succeeded: true, failed: [] });
    expect(await usdc.balanceOf(destination)).toBe(5n);
  });

  test('to another destination looks at other addresses, so a stranger gets nothing', async () => {
    const { payments, addresses } = openPayments(1);
    await pay(usdc, [addresses[0]!], 5n);
    await sweep(usdc.address, stranger, payments);
    expect(await usdc.balanceOf(stranger)).toBe(0n);
    expect(await usdc.balanceOf(addresses[0]!)).toBe(5n);
  });

  test('to nobody moves nothing, and nobody has an address', async () => {
    const payment = newId();
    expect(await sweep(usdc.address, nativeCoin, [payment])).toMatchObject({
      succeeded: true,
      failed: [payment],
    });
    const call = { address: factoryAddress, abi: artifact.abi, functionName: 'addressOf' };
    await expect(client.readContract({ ...call, args: [nativeCoin, ownerWord(payment)] })).rejects.toThrow(
      'NoDestination',
    );
  });

  test('of a token that is none tells that each failed', async () => {
    const { destination, payments } = openPayments(2);
    expect(await sweep(freshAddress(), destination, payments)).toMatchObject({
      succeeded: true,
      failed: payments,
    });
    expect(await sweep(factoryAddress, destination, payments)).toMatchObject({ failed: payments });
  });
});

describe('the gas of a sweep', () => {
  test.each(['PlainToken', 'HeavyToken'] as const)(
    'as a node estimates it is enough to move everything of a %s',
    async (kind) => {
      const { data, destination, token } = await deposited(kind);
      const gas = await client.estimateGas({ account: stranger, to: factoryAddress, data });
      expect(await send(factoryAddress, data, { gas })).toMatchObject({ succeeded: true, failed: [] });
      expect(await token.balanceOf(destination)).toBe(15n);
    },
  );

  test.each(['PlainToken', 'HeavyToken'] as const)(
    'that is too little undoes all of it, and never looks like a refusal of a %s',
    async (kind) => {
      const { data, destination, token } = await deposited(kind);
      const enough = await client.estimateGas({ account: stranger, to: factoryAddress, data });
      for (const share of [10n, 20n, 30n, 40n, 50n, 60n, 70n, 80n, 90n, 95n]) {
        const outcome = await send(factoryAddress, data, { gas: (enough * share) / 100n });
        expect(outcome).toMatchObject({ succeeded: false, failed: [] });
      }
      expect(await token.balanceOf(destination)).toBe(0n);
    },
  );

  test.each([
    ['at once', false],
    ['by an endless answer', true],
  ])('that a token burns %s for one payment is not missed by those after it', async (_, isEndlessAnswer) => {
    const token = await deployOddToken(chain, 'BurningToken', { asset: 'burning' });
    const { destination, payments, addresses } = openPayments(4);
    await pay(token, addresses, 3n);
    for (const at of [0, 2]) await token.call('burnFor', addresses[at], isEndlessAnswer);
    const outcome = await sweep(token.address, destination, payments, { gas: 3_500_000n });
    expect(outcome).toMatchObject({ succeeded: true, failed: [payments[0], payments[2]] });
    expect(await token.balanceOf(destination)).toBe(6n);
  });

  /** Five deposits of a token, and the call that sweeps them. */
  async function deposited(kind: OddKind) {
    const token = await deployOddToken(chain, kind, { asset: kind });
    const { destination, payments, addresses } = openPayments(5);
    for (const to of addresses) await token.mint(to, 3n);
    return { token, destination, data: sweepCall(token.address, destination, payments) };
  }
});

describe('a deposit address', () => {
  test('has the 44 bytes that the contract lists, and gives to nobody but the factory', async () => {
    const { destination, payments, addresses } = openPayments(1);
    const [address] = addresses as [Hex];
    await pay(usdc, [address], 5n);
    await sweep(usdc.address, destination, payments);
    await pay(usdc, [address], 5n);
    const target = (await implementation()).slice(2).toLowerCase();
    const code = `0x3615602a57363d3d373d3d3d363d73${target}5af4602a5780fd5b00`;
    expect(await client.getCode({ address })).toBe(code);
    for (const from of Object.values(accounts).map((each) => each.address)) {
      for (const to of [from, destination]) {
        const data = flushCall(usdc.address, to, 5n);
        expect(await send(address, data, { from })).toMatchObject({ succeeded: false });
        expect(await send(await implementation(), data, { from })).toMatchObject({ succeeded: false });
      }
    }
    expect(await usdc.balanceOf(address)).toBe(5n);
  });

  test('knows no other call', async () => {
    const { Forwarder, ForwarderFactory } = await compiled('ForwarderFactory.sol');
    const functions = (abi: unknown[]) =>
      (abi as { type: string; name: string }[])
        .filter(({ type }) => type !== 'error')
        .map(({ name }) => name);
    expect(functions(Forwarder!.abi)).toEqual(['flush']);
    expect(functions(ForwarderFactory!.abi)).toEqual([
      'SweepFailed',
      'GAS_EACH',
      'addressOf',
      'implementation',
      'sweep',
      'sweepOne',
    ]);
  });
});
