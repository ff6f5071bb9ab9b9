import { expect, test } from 'vitest';
import {
  checksummed,
  deployer,
  factoryAddress,
  factoryBytecode,
  forwarderAddress,
} from '../gateway/src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { startChain, treasury } from '../gateway/test/chain/chain.ts';
import { expectFigures } from './test/figures.ts';
import { callers } from './test/fixtures.ts';

// Gas is what an operator pays for: the committed table tells it, and this test that the table is true.

const chain = await startChain({ assets: { 'usdt-bep20': 18 }, withFactory: false });
const usdt = chain.tokens['usdt-bep20']!;
const { send, pay, sweep, give } = callers(chain);

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

test('the documentation tells the address of the factory, and its gas within two in a hundred', async () => {
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

  expect(await expectFigures('contracts.md', measured)).toContain(checksummed(factoryAddress));
});
