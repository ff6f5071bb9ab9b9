import { beforeEach, describe, expect, test } from 'vitest';
import { startChain, treasury } from '../../../test/chain/chain.ts';
import { emptyTables, testDatabase } from '../../../test/support/database.ts';
import { systemClock } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createAssets } from '../../money/assets.ts';
import { checksummed, forwarderAddress } from './addresses/forwarders.ts';
import type { ChainConfig } from './config/chains.ts';
import { createEvmRail } from './rail.ts';

const { db } = await testDatabase();
const { config } = await startChain();
const local = config();
const second: ChainConfig = {
  ...local,
  id: 31338,
  tokens: [{ ...local.tokens[0]!, asset: 'usdc-base', scale: 6 }],
};
const xpub =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';

let payments: string[];
beforeEach(async () => {
  payments = [newId(), newId()];
  await emptyTables(db, 'leases, evm_chains');
});

async function opened(chains: ChainConfig[]) {
  const rail = createEvmRail({ chains, assets: createAssets(), now: systemClock });
  await transaction(db, (tx) =>
    rail.open(
      tx,
      payments.map((id) => ({ id, currency: 'USDT' })),
    ),
  );
  return rail;
}

const verify = ({ id, tokens }: ChainConfig, begun: number | null = 0) =>
  db.query(
    `INSERT INTO evm_chains (chain_id, verified_at, verified_assets, seen_number, final_number)
     VALUES ($1, now(), $2, $3, $3)`,
    [id, tokens.map(({ asset }) => asset), begun],
  );

describe('the address of a payment', () => {
  test('is one on all chains with one treasury, and shown for those whose contracts were found', async () => {
    const rail = await opened([local, second]);
    expect(await rail.destinations(db, payments[0]!)).toEqual([]);
    await verify(local);
    await verify(second);
    const shown = await rail.destinations(db, payments[0]!);
    const address = checksummed(forwarderAddress(treasury, payments[0]!));
    expect(new Set(shown.map((each) => each.address))).toEqual(new Set([address]));
    expect(shown.map(({ asset }) => asset).sort()).toEqual([
      'csk-bep20',
      'usdc-base',
      'usdc-bep20',
      'usdt-bep20',
    ]);
  });

  test('is not shown before the scan of its chain has begun: what came before would never be read', async () => {
    const rail = await opened([local]);
    await verify(local, null);
    expect(await rail.destinations(db, payments[0]!)).toEqual([]);
    await db.query('UPDATE evm_chains SET seen_number = 7, final_number = 7');
    expect(await rail.destinations(db, payments[0]!)).toHaveLength(3);
  });

  test('says that its chain could not be read for minutes, and not while it is a moment', async () => {
    const rail = await opened([local]);
    await verify(local);
    const fails = (seconds: number) =>
      db.query(`UPDATE evm_chains SET scan_fault = 'no', scan_fault_at = now() - $1 * interval '1 second'`, [
        seconds,
      ]);
    const unreadable = async () =>
      (await rail.destinations(db, payments[0]!)).map(({ isUnreadable }) => isUnreadable);
    await fails(60);
    expect(await unreadable()).toEqual([undefined, undefined, undefined]);
    await fails(181);
    expect(await unreadable()).toEqual([true, true, true]);
  });

  test('below an extended key is another for each payment, and finds its payment again', async () => {
    const rail = await opened([{ ...local, receiving: { kind: 'xpub', xpub } }]);
    await verify(local);
    const found = await Promise.all(payments.map((payment) => rail.destinations(db, payment)));
    const addresses = found.map(([first]) => first!.address);
    expect(new Set(addresses).size).toBe(2);
    expect(await Promise.all(addresses.map((each) => rail.paymentOfAddress(db, each)))).toEqual(payments);
  });
});
