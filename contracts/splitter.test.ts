import { describe, expect, test } from 'vitest';
import { newId } from '../gateway/src/kit/ids.ts';
import {
  factoryAddress,
  forwarderAddress,
  ownerWord,
} from '../gateway/src/rails/evm/addresses/forwarders.ts';
import artifact from '../gateway/src/rails/evm/addresses/splitter-factory.json' with { type: 'json' };
import {
  type Split,
  splitterAddress,
  splitterFactoryAddress,
} from '../gateway/src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { accounts, startChain } from '../gateway/test/chain/chain.ts';
import { deployOddToken, type OddKind } from '../gateway/test/chain/test-tokens.ts';
import { compiled } from '../scripts/contracts.ts';
import { callers, callOf, freshAddress, nativeCoin, stranger } from './test/fixtures.ts';
import { eventsOf, namesOf, partsOf, payCall, releaseCall, settleCall, splitters } from './test/splitting.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18, 'usdt-bep20': 6 } });
const { client } = chain;
const usdc = chain.tokens['usdc-bep20']!;
const usdt = chain.tokens['usdt-bep20']!;
const { send, pay, give, balance, contract, isDeployed } = callers(chain);
const { release, releaseOne, settle } = await splitters(chain);

const newSplit = (basisPoints = 250): Split => ({
  merchant: freshAddress(),
  host: freshAddress(),
  basisPoints,
});

describe('a release', () => {
  test.each([
    [1n, 9_999],
    [9_999n, 1],
    [10_000n, 1],
    [10_001n, 250],
    [10n ** 18n + 1n, 123],
    [7n, 0],
    [2n ** 255n + 7n, 9_999],
  ])('of %i units at %i points pays the host its floor and the merchant the rest', async (units, points) => {
    const token = await deployOddToken(chain, 'PlainToken', { asset: 'plain' });
    const split = newSplit(points);
    await token.mint(splitterAddress(split), units);
    const outcome = await release(split, [token.address]);
    const parts = partsOf(units, split);
    expect(eventsOf(outcome)).toMatchObject([
      { name: 'Released', args: { toMerchant: parts.merchant, toHost: parts.host } },
    ]);
    expect(await token.balanceOf(split.merchant)).toBe(parts.merchant);
    expect(await token.balanceOf(split.host)).toBe(parts.host);
    expect(await token.balanceOf(splitterAddress(split))).toBe(0n);
  });

  test('deploys the splitter once, and can be done again by anybody', async () => {
    const split = newSplit();
    const from = accounts.payer.address;
    for (const round of [1n, 2n]) {
      await pay(usdc, [splitterAddress(split)], 1_000n);
      expect(await releaseOne(split, usdc.address, { from })).toMatchObject({ succeeded: true });
      expect(await usdc.balanceOf(split.host)).toBe(round * 25n);
      expect(await usdc.balanceOf(split.merchant)).toBe(round * 975n);
    }
  });

  test('of nothing deploys nothing and tells nothing', async () => {
    const split = newSplit();
    const outcome = await release(split, [usdc.address, nativeCoin]);
    expect(outcome).toMatchObject({ succeeded: true, logs: [] });
    expect(await isDeployed(splitterAddress(split))).toBe(false);
    expect(await release(split, [])).toMatchObject({ succeeded: true, logs: [] });
  });

  test('of the native coin pays both too, where it is deployed and where it is not', async () => {
    const split = newSplit();
    for (const round of [1n, 2n]) {
      await give(splitterAddress(split), 1_000n);
      expect(await release(split, [nativeCoin])).toMatchObject({ succeeded: true });
      expect(await balance(split.host)).toBe(round * 25n);
      expect(await balance(split.merchant)).toBe(round * 975n);
    }
  });

  test('of a token that is named twice divides it once', async () => {
    const split = newSplit();
    await pay(usdc, [splitterAddress(split)], 1_000n);
    expect(namesOf(await release(split, [usdc.address, usdc.address]))).toEqual(['Released']);
    expect(await usdc.balanceOf(split.host)).toBe(25n);
  });

  test('of a token that refuses, or that is none, stops no other', async () => {
    const paused = await deployOddToken(chain, 'PausableToken', { asset: 'paused' });
    const split = newSplit();
    const splitter = splitterAddress(split);
    for (const token of [paused, usdc, usdt]) await token.mint(splitter, 1_000n);
    await give(splitter, 1_000n);
    await paused.call('pause', true);
    const tokens = [usdc.address, paused.address, freshAddress(), factoryAddress, usdt.address, nativeCoin];
    const outcome = await release(split, tokens, { gas: 20_000_000n });
    const failed = 'ReleaseFailed';
    expect(namesOf(outcome)).toEqual(['Released', failed, failed, failed, 'Released', 'Released']);
    expect(await paused.balanceOf(splitter)).toBe(1_000n);
    for (const token of [usdc, usdt]) expect(await token.balanceOf(split.merchant)).toBe(975n);
    expect(await balance(split.merchant)).toBe(975n);
    expect(await releaseOne(split, paused.address)).toMatchObject({ succeeded: false });
    await paused.call('pause', false);
    expect(namesOf(await release(split, [paused.address]))).toEqual(['Released']);
    expect(await paused.balanceOf(split.host)).toBe(25n);
  });

  test('gives all to one that is merchant and host', async () => {
    const one = freshAddress();
    const split = { merchant: one, host: one, basisPoints: 250 };
    await pay(usdc, [splitterAddress(split)], 1_000n);
    await release(split, [usdc.address]);
    expect(await usdc.balanceOf(one)).toBe(1_000n);
  });
});

describe('a settlement', () => {
  test('moves many payments in several tokens from their addresses to both sides in one transaction', async () => {
    const split = newSplit(333);
    const payments = Array.from({ length: 5 }, () => newId() as string);
    const addresses = payments.map((payment) => forwarderAddress(splitterAddress(split), payment));
    await pay(usdc, addresses, 1_001n);
    await pay(usdt, addresses.slice(0, 2), 77n);
    await give(addresses[4]!, 10_003n);
    const outcome = await settle(split, [usdc.address, usdt.address, nativeCoin], payments.map(ownerWord));
    expect(namesOf(outcome)).toEqual(['Released', 'Released', 'Released']);
    for (const [units, of] of [
      [5_005n, usdc.balanceOf],
      [154n, usdt.balanceOf],
      [10_003n, balance],
    ] as const) {
      const parts = partsOf(units, split);
      expect([await of(split.merchant), await of(split.host)]).toEqual([parts.merchant, parts.host]);
    }
  });

  test('under another split finds nothing, so nobody redirects it', async () => {
    const split = newSplit();
    const payment = newId();
    const address = forwarderAddress(splitterAddress(split), payment);
    await pay(usdc, [address], 1_000n);
    await pay(usdc, [splitterAddress(split)], 1_000n);
    const mine = stranger.toLowerCase() as Hex;
    const others = [
      { ...split, merchant: mine },
      { ...split, host: mine },
      { ...split, basisPoints: 251 },
      { ...split, merchant: split.host, host: split.merchant },
    ];
    for (const other of others) await settle(other, [usdc.address], [ownerWord(payment)]);
    expect(await usdc.balanceOf(stranger)).toBe(0n);
    expect(await usdc.balanceOf(address)).toBe(1_000n);
    expect(await usdc.balanceOf(splitterAddress(split))).toBe(1_000n);
  });
});

describe('the gas', () => {
  test.each(['PlainToken', 'HeavyToken'] as const)(
    'that a node estimates settles a %s; with less all of it is undone, and nothing looks like a refusal',
    async (kind) => {
      const { split, token, data } = await deposited(kind);
      const enough = await client.estimateGas({ account: stranger, to: splitterFactoryAddress, data });
      for (const share of [10n, 30n, 50n, 70n, 80n, 90n, 95n]) {
        const outcome = await send(splitterFactoryAddress, data, { gas: (enough * share) / 100n });
        expect(outcome).toMatchObject({ succeeded: false, logs: [] });
      }
      const outcome = await send(splitterFactoryAddress, data, { gas: enough });
      expect(namesOf(outcome)).toEqual(['Released']);
      expect(await token.balanceOf(split.host)).toBe(75n);
    },
  );

  test('that is too little for a side that burns it never makes the other wait', async () => {
    const token = await deployOddToken(chain, 'BurningToken', { asset: 'burning' });
    const split = newSplit();
    await token.mint(splitterAddress(split), 1_000n);
    await token.call('burnFor', split.host, false);
    for (const gas of [200_000n, 600_000n, 1_000_000n, 1_100_000n]) {
      const outcome = await releaseOne(split, token.address, { gas });
      expect(outcome).toMatchObject({ succeeded: false, logs: [] });
    }
    const both = ['PartWaits', 'Released'];
    expect(namesOf(await releaseOne(split, token.address))).toEqual(both);
    expect(await token.balanceOf(split.merchant)).toBe(975n);
  });

  test('that is too little for a careful side alone never makes its part wait', async () => {
    const { CarefulDestination } = await compiled('test/Destinations.sol');
    const host = (await contract(CarefulDestination!)).address;
    const split = { ...newSplit(), host };
    await give(splitterAddress(split), 1_000n);
    for (const gas of [150_000n, 200_000n, 250_000n, 300_000n, 350_000n]) {
      expect(await releaseOne(split, nativeCoin, { gas })).toMatchObject({ succeeded: false, logs: [] });
    }
    expect(namesOf(await releaseOne(split, nativeCoin, { gas: 600_000n }))).toEqual(['Released']);
    expect(await balance(host)).toBe(25n);
  });

  /** Three deposits of a token, and the call that settles them. */
  async function deposited(kind: OddKind) {
    const token = await deployOddToken(chain, kind, { asset: kind });
    const split = newSplit();
    const payments = Array.from({ length: 3 }, () => newId() as string);
    for (const each of payments) {
      await token.mint(forwarderAddress(splitterAddress(split), each), 1_000n);
    }
    return { split, token, data: settleCall(split, [token.address], payments.map(ownerWord)) };
  }
});

describe('a splitter', () => {
  test('has the 44 bytes of a deposit address, and pays for nobody but its factory', async () => {
    const split = newSplit();
    const splitter = splitterAddress(split);
    await pay(usdc, [splitter], 1_000n);
    await release(split, [usdc.address]);
    await pay(usdc, [splitter], 1_000n);
    const call = { address: splitterFactoryAddress, abi: artifact.abi, functionName: 'implementation' };
    const implementation = (await client.readContract(call)) as Hex;
    const target = implementation.slice(2).toLowerCase();
    expect(await client.getCode({ address: splitter })).toBe(
      `0x3615602a57363d3d373d3d3d363d73${target}5af4602a5780fd5b00`,
    );
    for (const from of Object.values(accounts).map((each) => each.address)) {
      for (const to of [from, split.merchant, split.host]) {
        const data = payCall(usdc.address, to, 1_000n);
        expect(await send(splitter, data, { from })).toMatchObject({ succeeded: false });
        expect(await send(implementation, data, { from })).toMatchObject({ succeeded: false });
      }
    }
    expect(await usdc.balanceOf(splitter)).toBe(1_000n);
  });

  test('of nobody, or that leaves the merchant nothing, does not exist', async () => {
    const split = newSplit();
    const none = [
      { ...split, merchant: nativeCoin },
      { ...split, host: nativeCoin },
      { ...split, basisPoints: 10_000 },
    ];
    for (const each of none) {
      expect(() => splitterAddress(each)).toThrow('There is no splitter');
      const call = { address: splitterFactoryAddress, abi: artifact.abi, functionName: 'addressOf' };
      await expect(client.readContract({ ...call, args: [each] } as never)).rejects.toThrow('NoSuchSplit');
      const one = callOf(artifact.abi, 'releaseOne', each, usdc.address);
      for (const data of [releaseCall(each, [usdc.address]), settleCall(each, [], []), one]) {
        expect(await send(splitterFactoryAddress, data)).toMatchObject({ succeeded: false });
      }
    }
  });

  test('knows no other call', async () => {
    const { Splitter, SplitterFactory } = await compiled('Splitter.sol');
    const functions = (abi: unknown[]) =>
      (abi as { type: string; name: string }[])
        .filter(({ type }) => type !== 'error')
        .map(({ name }) => name);
    expect(functions(Splitter!.abi)).toEqual(['pay']);
    expect(functions(SplitterFactory!.abi)).toEqual([
      'PartWaits',
      'ReleaseFailed',
      'Released',
      'FORWARDERS',
      'GAS_EACH',
      'GAS_RELEASE',
      'addressOf',
      'implementation',
      'release',
      'releaseOne',
      'settle',
    ]);
  });
});
