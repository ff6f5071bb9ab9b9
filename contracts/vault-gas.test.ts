import { expect, test } from 'vitest';
import { deployer } from '../gateway/src/rails/evm/addresses/forwarders.ts';
import { vaultCode } from '../gateway/src/rails/evm/addresses/vault.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { accounts, startChain } from '../gateway/test/chain/chain.ts';
import { deployVault, type TestPayout } from '../gateway/test/chain/vault-fixtures.ts';
import { expectFigures } from './test/figures.ts';
import { callers } from './test/fixtures.ts';

// What a payout costs for gas, and what a batch saves: the committed table tells it, and this test that it is true.

const chain = await startChain({ assets: { 'usdt-bep20': 18 } });
const usdt = chain.tokens['usdt-bep20']!;
const { send } = callers(chain);
const unit = 10n ** 18n;

/** Ids as the gateway gives them out: random bits, and a counter below them, which begins a slot here. */
let lastId = (0x9a4e_5b2c_9d1e_4f01n << 64n) | 0xffn;
let lastReceiver = 0x5b2c_9d1e_4f01_980b_7c51_ae7d_3f9a_4e4f_11d7_25c3n;

function freshReceivers(count: number): Hex[] {
  return Array.from({ length: count }, () => {
    lastReceiver += 1n;
    return `0x${lastReceiver.toString(16)}` as const;
  });
}

const payoutsTo = (receivers: Hex[]): TestPayout[] =>
  receivers.map((to) => {
    lastId += 1n;
    return { id: lastId, to, amount: 25n * unit };
  });

test('the documentation tells the gas of payouts within two in a hundred; 100 in a batch cost at most 0.7 each', async () => {
  const measured = new Map<string, bigint>();
  const code: Hex = `0x${'0'.repeat(64)}${vaultCode(accounts.stranger.address).slice(2)}`;
  measured.set('deploying the vault', (await send(deployer, code)).gasUsed);
  const vault = await deployVault(chain, { limits: { [usdt.address]: 10n ** 9n * unit } });
  await usdt.mint(vault.address, 10n ** 9n * unit);
  const paid = async (receivers: Hex[]): Promise<bigint> => {
    const payouts = payoutsTo(receivers);
    const { logs, gasUsed } = await vault.pay(usdt.address, payouts);
    expect(logs.filter(({ name }) => name === 'Paid')).toHaveLength(payouts.length);
    return gasUsed;
  };
  // The first payout of a token ever writes more.
  await paid(freshReceivers(256));
  const single = async (to: Hex): Promise<bigint> => {
    const { gasUsed } = await chain.mined(await usdt.send(to, 25n * unit));
    return gasUsed;
  };
  const [one] = freshReceivers(1) as [Hex];
  const singleNew = await single(one);
  const singleOld = await single(one);
  measured.set('one transfer from a wallet to a new receiver', singleNew);
  measured.set('one transfer from a wallet to a receiver that has some', singleOld);
  const known = freshReceivers(100);
  const hundredNew = await paid(known);
  const hundredOld = await paid(known);
  measured.set('a batch of 1 to a new receiver', await paid(freshReceivers(1)));
  measured.set('a batch of 10 to new receivers', await paid(freshReceivers(10)));
  measured.set('a batch of 100 to new receivers', hundredNew);
  measured.set('a batch of 100 to receivers that have some', hundredOld);
  expect(hundredNew * 10n).toBeLessThanOrEqual(100n * singleNew * 7n);
  expect(hundredOld * 10n).toBeLessThanOrEqual(100n * singleOld * 7n);
  await expectFigures('vault.md', measured);
});
