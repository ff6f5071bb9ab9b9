import { concat, keccak256 } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../../test/chain/scan-fixtures.ts';
import { deployOddToken } from '../../../../../test/chain/test-tokens.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';
import type { Hex } from '../../config/chains.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const usdt = local.tokens['usdt-bep20']!;
const keeping = await deployOddToken(local, 'LyingFeeToken', { asset: 'csk-bep20' });
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));
const proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.rpcUrl)));

let scan: Scan;
const open = async (endpoints: number) => {
  const rpcUrls = proxies.slice(0, endpoints).map(({ url }) => url);
  scan = await openScan(db, local, { rpcUrls });
};
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  for (const proxy of proxies) proxy.mend();
  await open(2);
});

const notCredited = async () =>
  (await scan.scanner.health()).faults.filter(({ code }) => code === 'not_credited');
const words = async () => (await notCredited()).map(({ message }) => message).join(' ');
/** Ticks on, so many seconds between two of them. */
async function live(seconds: number, step = 30): Promise<void> {
  for (let passed = 0; passed < seconds; passed += step) {
    scan.clock.advance(step);
    await scan.tick();
  }
}
/** A payment whose transfer is as deep as it must be to count, read once. */
async function paid(units: bigint) {
  const payment = await scan.pay();
  await send(payment.address, units);
  await scan.tick();
  await local.mine(3);
  await scan.tick();
  return payment;
}

/** Where TestToken keeps the balance of an address. */
async function setBalance(owner: Hex, units: bigint): Promise<void> {
  const word = (hex: string): Hex => `0x${hex.padStart(64, '0')}`;
  // Its fourth variable: name, symbol and totalSupply lie before it, and decimals is in the code.
  const slot = keccak256(concat([word(owner.slice(2)), word('3')]));
  await local.client.setStorageAt({ address: usdc.address, index: slot, value: word(units.toString(16)) });
}

const wrong: Record<string, () => Hex> = {
  zero: () => `0x${'0'.repeat(64)}`,
  nothing: () => '0x',
  'too little': () => '0x1',
};
const wrongs = Object.keys(wrong);

describe('what two endpoints report of a balance', () => {
  test('credits what a token holds, of the last transfer only a part if it holds no more', async () => {
    const honest = await scan.pay();
    const cheated = await scan.pay();
    await send(honest.address, 5n);
    await send(cheated.address, 6n);
    await send(cheated.address, 4n);
    await send(cheated.address, 3n);
    await setBalance(cheated.address, 7n);
    expect(await usdc.balanceOf(cheated.address)).toBe(7n);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(honest.id)).toEqual(['final 3 5']);
    expect(scan.standing(cheated.id)).toEqual(['final 3 6', 'final 3 1']);
    const { rows } = await db.query("SELECT units FROM evm_transfers WHERE state = 'gone'");
    expect(rows).toEqual([{ units: 3n }]);
  });

  test('takes away what is not there, and credits it once it is', async () => {
    const { id, address } = await scan.pay();
    await send(address, 6n);
    await scan.tick();
    await setBalance(address, 0n);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['gone 0 6']);
    await setBalance(address, 6n);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['gone 0 6']);
    expect(await words()).toMatch(/^Transfers of block \d+ are not credited\.$/);
    scan.clock.advance(3_600);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['final 3 6']);
    expect(await notCredited()).toEqual([]);
  });

  test('holds up no other where a token refuses to say what it holds, and credits that once it does', async () => {
    const [honest, broken] = [await scan.pay(), await scan.pay()];
    const bytecode = (await local.client.getCode({ address: usdt.address }))!;
    await send(honest.address, 5n);
    await local.mined(await usdt.send(broken.address, 6n));
    // PUSH0 PUSH0 REVERT
    await local.client.setCode({ address: usdt.address, bytecode: '0x5f5ffd' });
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(honest.id)).toEqual(['final 3 5']);
    expect(scan.standing(broken.id)).toEqual([]);
    expect(await notCredited()).toHaveLength(1);
    await local.client.setCode({ address: usdt.address, bytecode });
    await local.mine(3);
    await scan.tick();
    scan.clock.advance(3_600);
    await scan.tick();
    expect(scan.standing(broken.id)).toEqual(['final 3 6']);
  });

  test('is what counts of a token that keeps a part for itself and logs the whole', async () => {
    const [{ id, address }, other] = [await scan.pay(), await scan.pay()];
    await local.mined(await keeping.send(address, 1_000n));
    await scan.tick();
    expect(scan.standing(id)).toEqual(['seen 1 1000']);
    await local.mined(await keeping.send(address, 500n));
    await send(other.address, 5n);
    await local.mine(3);
    await scan.tick();
    expect(await keeping.balanceOf(address)).toBe(1_485n);
    expect(scan.standing(id)).toEqual(['final 3 1000', 'final 3 485']);
    expect(scan.standing(other.id)).toEqual(['final 3 5']);
    expect(await words()).toMatch(/^Transfers of block \d+ are credited in part: their addresses hold less/);
    await live(3 * 86_400, 86_400);
    expect(await words()).not.toMatch(/in part/);
  });
});

describe.each([0, 1])('of two endpoints the one at %i', (at) => {
  test.each(wrongs)(
    'makes no deposit go by a balance of %s: it stays pending until they agree',
    async (kind) => {
      proxies[at]!.faults.balances = wrong[kind]!;
      const payment = await paid(5n);
      expect(scan.standing(payment.id)).toEqual(['seen 2 5']);
      expect(await words()).toMatch(/^Transfers of block \d+ stay pending: endpoints do not confirm/);
      await live(2 * 86_400, 4 * 3_600);
      expect(scan.standing(payment.id)).toEqual(['seen 2 5']);
      expect(await notCredited()).toHaveLength(1);
      proxies[at]!.mend();
      await live(60);
      expect(scan.standing(payment.id)).toEqual(['final 3 5']);
      expect(await notCredited()).toEqual([]);
      expect(scan.reported.filter(({ state }) => state === 'gone')).toEqual([]);
    },
  );

  test('credits nothing that is not there', async () => {
    const { id, address } = await scan.pay();
    await send(address, 6n);
    await setBalance(address, 0n);
    proxies[at]!.faults.balances = () => '0x6';
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['seen 2 6']);
    proxies[at]!.mend();
    await live(60);
    expect(scan.standing(id)).toEqual(['gone 0 6']);
  });

  test('holds up no other transfer, in the same window or a later one', async () => {
    proxies[at]!.faults.balances = (units) => (units === 6n ? '0x' : `0x${units.toString(16)}`);
    const [doubtful, honest] = [await scan.pay(), await scan.pay()];
    await send(doubtful.address, 6n);
    await send(honest.address, 5n);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(honest.id)).toEqual(['final 3 5']);
    const later = await paid(7n);
    expect(scan.standing(later.id)).toEqual(['final 3 7']);
    expect(scan.standing(doubtful.id)).toEqual(['seen 2 6']);
    // Another one to the same address, about which they agree.
    await send(doubtful.address, 3n);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(doubtful.id)).toEqual(['seen 2 6', 'final 3 3']);
    proxies[at]!.mend();
    await live(60);
    expect(scan.standing(doubtful.id)).toEqual(['final 3 6', 'final 3 3']);
  });

  test('is silent about balances for two minutes, and then the other one has to do', async () => {
    proxies[at]!.faults.balances = () => '0xnonsense' as Hex;
    const { id } = await paid(5n);
    expect(scan.standing(id)).toEqual(['seen 2 5']);
    await live(90);
    expect(scan.standing(id)).toEqual(['seen 2 5']);
    await live(60);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });
});

test('what is pending below the final cursor goes with a reorg, and counts when it is mined again', async () => {
  proxies[0]!.faults.balances = wrong.zero!;
  const { id, address } = await scan.pay();
  await send(address, 5n);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['seen 2 5']);
  await local.client.request({ method: 'anvil_reorg', params: [4, []] } as never);
  await scan.tick(2);
  expect(scan.standing(id)).toEqual(['gone 0 5']);
  proxies[0]!.mend();
  await send(address, 5n);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['gone 0 5', 'final 3 5']);
  await live(120);
  expect(scan.standing(id)).toEqual(['gone 0 5', 'final 3 5']);
  expect(await notCredited()).toEqual([]);
});

describe.each([0, 1, 2])('of three endpoints the one at %i', (at) => {
  test.each(wrongs)('is outvoted about a balance of %s', async (kind) => {
    await open(3);
    proxies[at]!.faults.balances = wrong[kind]!;
    const { id } = await paid(5n);
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(scan.reported.filter(({ state }) => state === 'gone')).toEqual([]);
  });
});

test('the one of two that is left is not believed about a zero, and the other one settles it', async () => {
  proxies[1]!.faults.dead = true;
  proxies[0]!.faults.balances = wrong.zero!;
  const { id } = await paid(5n);
  await live(1_800, 150);
  expect(scan.standing(id)).toEqual(['seen 2 5']);
  proxies[1]!.mend();
  await live(600, 60);
  expect(scan.standing(id)).toEqual(['seen 2 5']);
  proxies[0]!.mend();
  await live(60);
  expect(scan.standing(id)).toEqual(['final 3 5']);
});

describe('a single endpoint', () => {
  beforeEach(() => open(1));

  test.each(['zero', 'nothing'])(
    'that tells a balance of %s for a while keeps a deposit pending',
    async (kind) => {
      proxies[0]!.faults.balances = wrong[kind]!;
      const { id } = await paid(5n);
      await live(3_500, 250);
      expect(scan.standing(id)).toEqual(['seen 2 5']);
      expect(await words()).toMatch(/^Transfers of block \d+ stay pending/);
      proxies[0]!.mend();
      await live(60);
      expect(scan.standing(id)).toEqual(['final 3 5']);
      expect(await notCredited()).toEqual([]);
    },
  );

  test.each(['zero', 'nothing'])('is believed about a balance of %s after an hour', async (kind) => {
    proxies[0]!.faults.balances = wrong[kind]!;
    const { id } = await paid(5n);
    await live(3_700, 185);
    expect(scan.standing(id)).toEqual(['gone 0 5']);
    expect(await words()).toMatch(/^Transfers of block \d+ are not credited\.$/);
    await live(3_600, 600);
    expect(scan.standing(id)).toEqual(['gone 0 5']);
    proxies[0]!.mend();
    await live(7_200, 600);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('is believed about a part after a minute', async () => {
    const { id, address } = await scan.pay();
    await local.mined(await keeping.send(address, 1_000n));
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['seen 2 1000']);
    await live(120);
    expect(scan.standing(id)).toEqual(['final 3 990']);
    expect(await words()).toMatch(/credited in part/);
  });

  test('that differs from itself makes nothing go', async () => {
    let asked = 0;
    proxies[0]!.faults.balances = (units) => (asked++ % 2 === 0 ? '0x0' : `0x${units.toString(16)}`);
    const { id } = await paid(5n);
    await live(7_200, 300);
    expect(scan.standing(id)).toEqual(['seen 2 5']);
    proxies[0]!.mend();
    await live(60);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });
});
