import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';
import type { Hex } from '../../config/chains.ts';
import { planRecheck } from './recheck-plan.ts';

const { db } = await testDatabase();
// Final two blocks behind the head by its tag, which the reorgs of these tests ignore.
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));

const reorg = (depth: number, transactions: [Hex, number][] = []) =>
  local.client.request({ method: 'anvil_reorg', params: [depth, transactions] } as never);
const rawOf = (hash: Hex) =>
  local.client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never) as Promise<Hex>;

let scan: Scan;
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  await local.mine(5);
  scan = await openScan(db, local, { config: { finality: 'confirmations' } });
});

const resend = (raw: Hex) =>
  local.client.request({ method: 'eth_sendRawTransaction', params: [raw] } as never);
const cursorsOf = async () => {
  const { rows } = await db.query(
    'SELECT seen_number::float8 AS seen, final_number::float8 AS final FROM evm_chains',
  );
  return rows[0];
};

test('a transfer whose block left the chain is gone, and seen again where it was mined anew', async () => {
  const { id, address } = await scan.pay();
  const raw = await rawOf((await send(address, 5n)).transactionHash);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['seen 1 5']);
  await local.mine(1);
  await reorg(2);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['gone 0 5']);
  await resend(raw);
  await local.mine(1);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['gone 0 5', 'seen 2 5']);
  await local.mine(2);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['gone 0 5', 'final 3 5']);
});

test('a transfer whose block stays is not reported as gone while later blocks, read at once with it, are replaced', async () => {
  const proxy = await startRpcProxy(local.rpcUrl);
  const behind = await openScan(db, local, {
    rpcUrls: [proxy.url],
    config: { finality: 'confirmations' },
  });
  await behind.tick();
  const { id, address } = await behind.pay();
  await send(address, 5n);
  await local.mine(1);
  await behind.tick();
  expect(behind.standing(id)).toEqual(['seen 2 5']);
  await reorg(1);
  // What lies behind the last block that is known to stand cannot be read again for now.
  proxy.faults.hides = true;
  await behind.tick();
  expect(behind.standing(id)).toEqual(['seen 2 5']);
  proxy.mend();
  await local.mine(1);
  await behind.tick();
  expect(behind.standing(id)).toEqual(['final 3 5']);
});

test('a block that is to be read again for a transfer is read once more when it was replaced, and not for ever', async () => {
  const { address } = await scan.pay();
  const { blockNumber, blockHash, logs } = await send(address, 5n);
  await local.mine(1);
  await scan.tick();
  const { logIndex, transactionHash: transaction } = logs[0]!;
  const shown = { blockHash, logIndex, kind: 'deposit', blockNumber, transaction } as const;
  await planRecheck(db, scan.chain.id, { blockNumber, due: scan.clock.now(), shown: [shown] });
  await reorg(2);
  await local.mine(1);
  await scan.tick();
  scan.clock.advance(60);
  await scan.tick();
  expect((await db.query('SELECT FROM evm_rechecks')).rowCount).toBe(0);
});

test('a transfer that a reorg only moved is another one, with the log index of its new place', async () => {
  const first = await scan.pay();
  const second = await scan.pay();
  const raws = [
    await rawOf((await send(first.address, 5n)).transactionHash),
    await rawOf((await send(second.address, 6n)).transactionHash),
  ];
  await scan.tick();
  await reorg(2, [
    [raws[0]!, 0],
    [raws[1]!, 0],
  ]);
  await scan.tick();
  expect(scan.standing(first.id)).toEqual(['gone 0 5', 'seen 2 5']);
  expect(scan.standing(second.id)).toEqual(['gone 0 6', 'seen 2 6']);
  expect(new Set(scan.reported.map(({ key }) => key)).size).toBe(4);
  await local.mine(1);
  await scan.tick();
  expect(scan.standing(second.id)).toEqual(['gone 0 6', 'final 3 6']);
});

test('a reorg deeper than the setting takes back what was final, once, and what was swept', async () => {
  const before = await scan.pay();
  await send(before.address, 4n);
  const { id, address } = await scan.pay();
  const raw = await rawOf((await send(address, 5n)).transactionHash);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 5']);
  await reorg(4);
  await scan.tick(3);
  expect(scan.reported.filter(({ state }) => state === 'gone').map(({ paymentId }) => paymentId)).toEqual([
    id,
  ]);
  expect(scan.standing(before.id)).toEqual(['final 3 4']);
  expect(scan.standing(id)).toEqual(['gone 0 5']);
  await resend(raw);
  await local.mine(2);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['gone 0 5', 'final 3 5']);
});

test('a deep reorg finds its beginning where few blocks were noted, and where none was', async () => {
  const kept = await scan.pay();
  await send(kept.address, 4n);
  const lost = await scan.pay();
  await send(lost.address, 5n);
  await local.mine(3);
  await scan.tick();
  const { seen } = await cursorsOf();
  // What was noted but for the ends: a window of a thousand blocks notes no more.
  await db.query('DELETE FROM evm_blocks WHERE number < $1', [seen]);
  await reorg(4);
  await scan.tick(2);
  expect(scan.standing(kept.id)).toEqual(['final 3 4']);
  expect(scan.standing(lost.id)).toEqual(['gone 0 5']);
  expect(scan.reported.filter(({ state }) => state === 'gone')).toHaveLength(1);
  expect(await cursorsOf()).toEqual({ seen, final: seen - 2 });
});

test('a reorg of the block at which the scan began is followed, too', async () => {
  scan = await openScan(db, local, { config: { finality: 'confirmations', startBlock: null } });
  await scan.tick();
  const { seen } = await cursorsOf();
  await reorg(5);
  const { id, address } = await scan.pay();
  await send(address, 5n);
  await local.mine(2);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 5']);
  expect(await cursorsOf()).toEqual({ seen: seen + 3, final: seen + 1 });
});

test('an endpoint whose chain became shorter loses nothing until it has grown again', async () => {
  const { id, address } = await scan.pay();
  const snapshot = await local.client.snapshot();
  await send(address, 5n);
  await local.mine(1);
  await scan.tick();
  await local.client.revert({ id: snapshot });
  await scan.tick();
  expect(scan.standing(id)).toEqual(['seen 2 5']);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['gone 0 5']);
});
