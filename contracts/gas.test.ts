import { expect, test } from 'vitest';
import {
  checksummed,
  deployer,
  factoryAddress,
  factoryBytecode,
  forwarderAddress,
  ownerWord,
} from '../gateway/src/rails/evm/addresses/forwarders.ts';
import {
  type Split,
  splitterAddress,
  splitterFactoryAddress,
  splitterInitCodeHash,
} from '../gateway/src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { startChain, treasury } from '../gateway/test/chain/chain.ts';
import { expectFigures } from './test/figures.ts';
import { callers } from './test/fixtures.ts';
import { releaseCall, settleCall, splitterDeployment } from './test/splitting.ts';

// Gas is what an operator pays for: the committed table tells it, and this test that the table is true.

const chain = await startChain({ assets: { 'usdt-bep20': 18 }, withFactory: false });
const usdt = chain.tokens['usdt-bep20']!;
const { send, pay, sweep, give } = callers(chain);

const split: Split = {
  merchant: '0x5b2c9d1e4f01980b7c51ae7d3f9a4e4f11d725c3',
  host: '0x9a4e4f11d725c35b2c9d1e4f01980b7c51ae7d3f',
  basisPoints: 250,
};

/** The last payment that was made; their ids have the shape of real ones, whose bytes cost the same each time. */
let last = 0;
function nextPayments(count: number): string[] {
  return Array.from({ length: count }, () => {
    last += 1;
    return `01980b7c-51ae-7d3f-9a4e-${(0x5b2c_9d1e_4f00 + last).toString(16)}`;
  });
}

async function deposit(payments: string[]): Promise<string[]> {
  await pay(
    usdt,
    payments.map((payment) => forwarderAddress(treasury, payment)),
    10n ** 18n,
  );
  return payments;
}

async function gasOfSweep(payments: string[]): Promise<bigint> {
  const outcome = await sweep(usdt.address, treasury, await deposit(payments));
  expect(outcome).toMatchObject({ succeeded: true, failed: [] });
  return outcome.gasUsed;
}

/** What a splitter's two sides get, in a settlement of so many payments; both have some of the token already. */
async function gasOfSettlement(payments: string[]): Promise<bigint> {
  const addresses = payments.map((payment) => forwarderAddress(splitterAddress(split), payment));
  await pay(usdt, addresses, 10n ** 18n);
  const data = settleCall(split, [usdt.address], payments.map(ownerWord));
  const outcome = await send(splitterFactoryAddress, data);
  expect(outcome).toMatchObject({ succeeded: true, failed: [] });
  return outcome.gasUsed;
}

test('the documentation has the addresses of both factories, and their gas within two in a hundred', async () => {
  // A treasury that has the token already, as every one has but once.
  await usdt.mint(treasury, 1n);
  const factory: Hex = `0x${'0'.repeat(64)}${factoryBytecode.slice(2)}`;
  const measured = new Map<string, bigint>();
  measured.set('deploying the factory', (await send(deployer, factory)).gasUsed);
  for (const count of [1, 20, 50]) {
    measured.set(`a sweep of ${count}, each for the first time`, await gasOfSweep(nextPayments(count)));
  }
  const known = nextPayments(20);
  await gasOfSweep(known);
  measured.set('a sweep of 20 that were swept before', await gasOfSweep(known));
  measured.set('a sweep of 20 that hold nothing', (await sweep(usdt.address, treasury, known)).gasUsed);
  const native = await give(forwarderAddress(treasury, known[0]!), 1n);
  measured.set('sending the native coin to an address that was swept before', native);

  measured.set('deploying the factory of splitters', (await send(deployer, splitterDeployment)).gasUsed);
  for (const side of [split.merchant, split.host]) await usdt.mint(side, 1n);
  const settlement = 'a settlement of';
  measured.set(`${settlement} 1, the first of its splitter`, await gasOfSettlement(nextPayments(1)));
  for (const count of [1, 20, 50]) {
    measured.set(`${settlement} ${count}, by a splitter in use`, await gasOfSettlement(nextPayments(count)));
  }
  await usdt.mint(splitterAddress(split), 10n ** 18n);
  const alone = await send(splitterFactoryAddress, releaseCall(split, [usdt.address]));
  measured.set('a release alone', alone.gasUsed);

  const page = await expectFigures('contracts.md', measured);
  const addresses = [factoryAddress, splitterFactoryAddress].map(checksummed);
  for (const text of [...addresses, splitterInitCodeHash]) expect(page).toContain(text);
});
