import { expect, test } from 'vitest';
import { factoryAddress, forwarderAddress } from '../gateway/src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { startChain } from '../gateway/test/chain/chain.ts';
import { deployOddToken, type OddToken } from '../gateway/test/chain/test-tokens.ts';
import { compiled } from '../scripts/contracts.ts';
import { readBalances } from './test/balances.ts';
import { callers, callOf, flushCall, nativeCoin, oddAbi, sweepCall } from './test/fixtures.ts';
import { addressesOf, enoughGas, lifeOf, type Step } from './test/life.ts';
import { type Asset, credit, expectedAt, type Model, modelSweep, newModel, unitsOf } from './test/model.ts';
import { playLives } from './test/play-lives.ts';

// Random deposits and sweeps by anybody, of tokens that refuse, keep fees, burn gas and call back, to
// destinations that refuse, with thieves in between. After each sweep the failures are those of the model, and
// in the end every unit is where the model has it: at the address it was sent to, or at the destination that
// this address was derived from.

const runs = process.env.SOAK ? 2_000 : 15;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;

const chain = await startChain({ assets: {} });
const { send, give, sweep, sweepOne, contract } = callers(chain);

const kinds = [
  'PlainToken',
  'SilentToken',
  'AnsweringToken',
  'PausableToken',
  'BlacklistingToken',
  'HonestFeeToken',
  'LyingFeeToken',
  'ReentrantToken',
  'BurningToken',
  'HeavyToken',
] as const;
const assets: readonly Asset[] = ['native', ...kinds];
const tokens = new Map<Asset, OddToken>();
for (const kind of kinds) tokens.set(kind, await deployOddToken(chain, kind, { asset: kind }));
const tokenOf = (asset: Asset): Hex => tokens.get(asset)?.address ?? nativeCoin;

const { OddDestination } = await compiled('test/Destinations.sol');
const odd = await contract(OddDestination!);
const destinations = [`0x${'d1'.repeat(20)}`, odd.address] as const;
/** Where thieves want the money to go. */
const loot: Hex = `0x${'d2'.repeat(20)}`;
const owners = [...[...destinations, loot].flatMap(addressesOf), ...destinations, loot];

/** Calls what only a token of this kind has. */
async function call(kind: Asset, name: string, ...args: unknown[]): Promise<void> {
  // By the chain's own signing: a wallet's count of nonces does not know that a chain was set back.
  expect(await send(tokenOf(kind), callOf(oddAbi, name, ...args))).toMatchObject({ succeeded: true });
}

async function play(model: Model, each: Step): Promise<void> {
  switch (each.do) {
    case 'deposit': {
      const to = forwarderAddress(each.destination, each.payment);
      if (each.asset === 'native') await give(to, each.units);
      else await call(each.asset, 'mint', to, each.units);
      return credit(model, each.asset, to, each.units);
    }
    case 'sweep': {
      const { asset, destination, payments } = each.sweep;
      // What a call back in the middle of a sweep does depends on the gas that is left for it.
      const gas = asset === 'ReentrantToken' ? enoughGas : each.gas;
      const outcome = await sweep(tokenOf(asset), destination, payments, { from: each.from, gas });
      // With too little gas nothing at all happened.
      if (!outcome.succeeded && gas < enoughGas) return expect(outcome.failed).toEqual([]);
      return expect(outcome).toMatchObject({ succeeded: true, failed: modelSweep(model, each.sweep) });
    }
    case 'sweep one': {
      const { asset, destination, payment } = each;
      const { succeeded } = await sweepOne(tokenOf(asset), destination, payment, { from: each.from });
      expect(succeeded).toBe(modelSweep(model, { asset, destination, payments: [payment] }).length === 0);
      return;
    }
    case 'steal':
      return await steal(model, each);
    default:
      await turn(model, each);
  }
}

/** What anybody may try: to take from an address directly, and to sweep a payment to another destination. */
async function steal(model: Model, each: Extract<Step, { do: 'steal' }>): Promise<void> {
  const { from, asset, destination, payment } = each;
  const address = forwarderAddress(destination, payment);
  const flush = flushCall(tokenOf(asset), loot, unitsOf(model, asset, address));
  // An address that is not deployed yet takes the call for a transfer of nothing.
  await send(address, flush, { from });
  expect(await sweep(tokenOf(asset), loot, [payment], { from })).toMatchObject({
    succeeded: true,
    failed: [],
  });
}

/** Changes who refuses what. */
async function turn(
  model: Model,
  each: Exclude<Step, { do: 'deposit' | 'sweep' | 'sweep one' | 'steal' }>,
): Promise<void> {
  switch (each.do) {
    case 'pause':
      model.isPaused = each.isPaused;
      return await call('PausableToken', 'pause', each.isPaused);
    case 'answer':
      model.answersFalse = each.isFalse;
      if (each.isFalse) return await call('AnsweringToken', 'refuseWith', `0x${'0'.repeat(64)}`);
      return await call('AnsweringToken', 'accept');
    case 'bar':
      model.barred[each.isBarred ? 'add' : 'delete'](each.owner);
      return await call('BlacklistingToken', 'bar', each.owner, each.isBarred);
    case 'burn':
      model.burning.add(each.address);
      return await call('BurningToken', 'burnFor', each.address, each.isEndless);
    case 'refuse':
      model.refusing[each.isRefused ? 'add' : 'delete'](odd.address);
      await odd.call('refuse', each.isRefused);
      return;
    case 'call back': {
      model.callBack = each.sweep;
      const { asset, destination, payments } = each.sweep;
      const data = sweepCall(tokenOf(asset), destination, payments);
      await call('ReentrantToken', 'callBack', factoryAddress, data);
    }
  }
}

/** Reads every balance at once: the native coin's and the tokens', by `asset owner`. */
async function balances(): Promise<Record<string, bigint>> {
  const asked = assets.flatMap((asset) => {
    const holders = owners.map((owner): [string, Hex] => [owner, owner]);
    const all = asset === 'native' ? holders : [...holders, [asset, tokenOf(asset)] as [string, Hex]];
    return all.map(([name, owner]) => ({ key: `${asset} ${name}`, token: tokenOf(asset), owner }));
  });
  return await readBalances(chain.rpcUrl, asked);
}

test(
  'nobody redirects a deposit, takes one twice or holds up another, and no unit is lost',
  async () => {
    await playLives(chain, {
      lives: lifeOf(assets, destinations),
      runs,
      play: async (life) => {
        const model = newModel();
        for (const each of life) await play(model, each);
        const found = await balances();
        expect(found).toEqual(expectedAt(Object.keys(found), model));
      },
    });
  },
  timeoutMs,
);
