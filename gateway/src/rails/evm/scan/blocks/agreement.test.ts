import { beforeEach, describe, expect, test } from 'vitest';
import { accounts, startChain } from '../../../../../test/chain/chain.ts';
import { unpadded } from '../../../../../test/chain/rpc-logs.ts';
import { inventedLog, startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan, type ScanSetting } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';
import type { Hex } from '../../config/chains.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));
const [first, second, third] = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.rpcUrl)));
const proxies = [first!, second!, third!];

let scan: Scan;
let payment: { id: string; address: Hex };
async function open(count: number, config: ScanSetting['config'] = {}): Promise<void> {
  scan = await openScan(db, local, { rpcUrls: proxies.slice(0, count).map(({ url }) => url), config });
  payment = await scan.pay();
}
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  for (const proxy of proxies) {
    proxy.mend();
    // With a bloom the scan would wait for what is hidden.
    proxy.faults.bloom = 'missing';
  }
});

const cursors = async () => {
  const { rows } = await db.query(
    'SELECT seen_number::float8 AS seen, final_number::float8 AS final FROM evm_chains',
  );
  return rows[0];
};
const faults = async () => (await scan.scanner.health()).faults.map(({ message }) => message).join(' ');
const pay = async () => {
  const { blockNumber, blockHash } = await send(payment.address, 5n);
  return { number: blockNumber, hash: blockHash };
};
const invent = (block: { number: bigint; hash: Hex }) =>
  inventedLog({
    token: usdc.address,
    from: accounts.payer.address.toLowerCase() as Hex,
    to: payment.address,
    units: 1_000n,
    block,
  });

describe('with two endpoints', () => {
  beforeEach(() => open(2));

  test.each([0, 1])('a transfer that the one at %i hides is not booked until it shows it', async (at) => {
    await scan.tick();
    const before = await cursors();
    proxies[at]!.faults.hides = true;
    await pay();
    await local.mine(3);
    await scan.tick(3);
    expect(scan.standing(payment.id).filter((each) => each.startsWith('final'))).toEqual([]);
    expect((await cursors()).final).toBeLessThanOrEqual(before.final + 2);
    expect(await faults()).toMatch(/disagree about the transfers of block/);
    proxies[at]!.mend();
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['final 3 5']);
    expect(await faults()).not.toMatch(/disagree/);
  });

  test.each([0, 1])('a transfer that the one at %i invents is never booked', async (at) => {
    await scan.tick();
    proxies[at]!.faults.invents = [invent(await pay())];
    await local.mine(3);
    await scan.tick(3);
    expect(scan.reported.filter(({ state }) => state === 'final')).toEqual([]);
    proxies[at]!.mend();
    await scan.tick();
    expect(scan.reported.filter(({ state }) => state === 'final').map(({ units }) => units)).toEqual([5n]);
    const { rows } = await db.query("SELECT FROM evm_transfers WHERE state <> 'gone'");
    expect(rows).toHaveLength(1);
  });

  test.each([0, 1])(
    'a transfer that the one at %i reports with more units is booked as it is',
    async (at) => {
      await scan.tick();
      const faults = proxies[at]!.faults;
      faults.hides = ({ address }) => address === usdc.address;
      const { number, hash } = await pay();
      const [log] = (await local.client.getLogs({ blockHash: hash })) as unknown as { logIndex: number }[];
      faults.invents = [{ ...invent({ number, hash }), logIndex: `0x${log!.logIndex.toString(16)}` }];
      await local.mine(3);
      await scan.tick(3);
      expect(scan.reported.filter(({ state }) => state === 'final')).toEqual([]);
      proxies[at]!.mend();
      await scan.tick(3);
      expect(scan.standing(payment.id)).toEqual(['final 3 5']);
    },
  );

  test('a transfer that one reports for another payment is reversed there before it counts here', async () => {
    const other = await scan.pay();
    await scan.tick();
    const faults = proxies[0]!.faults;
    faults.hides = ({ address }) => address === usdc.address;
    const { number, hash } = await pay();
    const [log] = (await local.client.getLogs({ blockHash: hash })) as unknown as { logIndex: number }[];
    const { topics, ...invented } = invent({ number, hash });
    const to: Hex = `0x${other.address.slice(2).padStart(64, '0')}`;
    const logIndex: Hex = `0x${log!.logIndex.toString(16)}`;
    faults.invents = [{ ...invented, logIndex, topics: [...topics.slice(0, 2), to] }];
    await scan.tick();
    expect(scan.reported.map(({ paymentId, state }) => [paymentId, state])).toEqual([[other.id, 'seen']]);
    proxies[0]!.mend();
    await local.mine(3);
    scan.onReport = ({ paymentId }) => {
      if (paymentId === other.id) throw new Error('Not now');
    };
    const before = first!.asked.exchanges;
    await scan.tick(3);
    expect(scan.reported).toHaveLength(1);
    // What has to wait is looked at once a round.
    expect(first!.asked.exchanges - before).toBeLessThan(30);
    scan.onReport = null;
    scan.clock.advance(60);
    await scan.tick(3);
    expect(scan.reported.map(({ paymentId, state }) => [paymentId, state])).toEqual([
      [other.id, 'seen'],
      [other.id, 'gone'],
      [payment.id, 'final'],
    ]);
  });

  test('what one alone shows is not final, until the other has been silent for two minutes', async () => {
    await scan.tick();
    second!.faults.dead = true;
    await pay();
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['seen 2 5']);
    scan.clock.advance(119);
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['seen 2 5']);
    scan.clock.advance(1);
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['final 3 5']);
  });

  test.each([0, 1])(
    'a transfer that the one at %i tells without leading zeros counts when both are right',
    async (at) => {
      await scan.tick();
      proxies[at]!.faults.alters = unpadded;
      await pay();
      await local.mine(3);
      await scan.tick(3);
      expect(scan.standing(payment.id).filter((each) => each.startsWith('final'))).toEqual([]);
      const { endpoints } = (await scan.scanner.health()).scan!;
      expect(endpoints[at]?.fault).toMatch(/malformed log of a transfer/);
      proxies[at]!.mend();
      scan.clock.advance(60);
      await scan.tick(2);
      expect(scan.standing(payment.id)).toEqual(['final 3 5']);
    },
  );

  test('one that is behind hides nothing', async () => {
    await scan.tick();
    first!.faults.lagBlocks = 2;
    await pay();
    await local.mine(1);
    await scan.tick(2);
    expect(scan.standing(payment.id).filter((each) => each.startsWith('final'))).toEqual([]);
    await local.mine(4);
    await scan.tick(2);
    expect(scan.standing(payment.id)).toEqual(['final 3 5']);
  });
});

describe('with two endpoints, on a chain without finality', () => {
  beforeEach(() => open(2, { finality: 'confirmations' }));

  test('one of them cannot take back what is final', async () => {
    await scan.tick();
    await pay();
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['final 3 5']);
    const other = await startChain({ withFactory: false, assets: {} });
    await other.mine(Number(await local.client.getBlockNumber()) + 1);
    const forked = await startRpcProxy(other.rpcUrl);
    scan = await openScan(db, local, {
      rpcUrls: [forked.url, second!.url],
      config: { finality: 'confirmations' },
      clock: scan.clock,
    });
    await scan.restart();
    await scan.tick(2);
    expect(scan.reported).toEqual([]);
    expect(await faults()).toMatch(/disagree about block \d+, which was final/);
  });
});

describe('with three endpoints', () => {
  beforeEach(() => open(3));

  test.each([0, 1, 2])('what two of them report counts, whatever the one at %i hides', async (at) => {
    await scan.tick();
    proxies[at]!.faults.hides = true;
    await pay();
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['final 3 5']);
  });

  test.each([0, 1, 2])('what the one at %i invents does not hold up the others', async (at) => {
    await scan.tick();
    proxies[at]!.faults.invents = [invent(await pay())];
    await local.mine(3);
    await scan.tick(2);
    expect(scan.reported.filter(({ state }) => state === 'final').map(({ units }) => units)).toEqual([5n]);
  });
});

describe('with a single endpoint', () => {
  beforeEach(() => open(1));

  test('its second word counts, where it differs from the first', async () => {
    await scan.tick();
    first!.faults.hides = true;
    await pay();
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual([]);
    first!.mend();
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['final 3 5']);
  });

  test('that does not answer, nothing is lost, and one fault is shown until it does', async () => {
    await scan.tick();
    first!.faults.dead = true;
    await pay();
    await local.mine(3);
    await scan.tick(3);
    expect(await faults()).not.toBe('');
    scan.clock.advance(3_600);
    expect((await scan.scanner.health()).status).toBe('down');
    first!.mend();
    await expect
      .poll(async () => {
        await scan.tick();
        return scan.standing(payment.id);
      })
      .toEqual(['final 3 5']);
    expect((await scan.scanner.health()).status).toBe('up');
  });

  test('that leaves leading zeros out of its logs is at fault and shown, until it writes them', async () => {
    await scan.tick();
    first!.faults.alters = unpadded;
    await pay();
    await local.mine(3);
    const before = await cursors();
    await scan.tick(3);
    expect(scan.reported).toEqual([]);
    expect(await cursors()).toEqual(before);
    const health = await scan.scanner.health();
    expect(health.status).toBe('behind');
    expect(await faults()).toMatch(/malformed log of a transfer/);
    first!.mend();
    scan.clock.advance(60);
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['final 3 5']);
  });

  test('that allows few blocks at once, all of them are read', async () => {
    await scan.tick();
    await pay();
    await local.mine(40);
    await pay();
    first!.faults.maxBlocks = 7;
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['final 3 5', 'seen 1 5']);
    expect((await cursors()).seen).toBe(Number(await local.client.getBlockNumber()));
  });
});
