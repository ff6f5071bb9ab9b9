import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { newId } from '../../../kit/ids.ts';
import type { Hex } from '../config/chains.ts';
import { keepOpening, openingsOf, readAtPlace } from './openings.ts';

const { db } = await testDatabase();
const chainId = 31337;
const now = new Date('2026-11-29T12:00:00Z');
const token: Hex = `0x${'a'.repeat(40)}`;
const treasury: Hex = `0x${'b'.repeat(40)}`;
const outside: Hex = `0x${'c'.repeat(40)}`;

/** A final transfer out of the treasury or into it. */
async function move(block: bigint, units: bigint, to: Hex): Promise<void> {
  const [sender, source, target] =
    to === treasury ? [outside, 'operator', 'treasury'] : [treasury, 'treasury', 'operator'];
  await db.query(
    `INSERT INTO evm_transfers (chain_id, block_hash, log_index, side, block_number, transaction, kind, asset, token,
       sender, address, source, target, receiver, units, state, confirmations, ledger_id, seen_at)
     VALUES ($1, $2, 0, 'place', $3, $2, 'move', 'usdc-bep20', $4, $5, $6, $7, $8, $9, $10, 'final', 3, $11, $12)`,
    [chainId, `0x${block}`, block, token, sender, treasury, source, target, to, units, newId(now), now],
  );
}

test('what was left out of the blocks before an opening, and is read later, changes the opening', async () => {
  await move(5n, 10n, treasury);
  // 100 lay there before, and 40 came in block 6 of which nothing was read.
  const read = await readAtPlace(db, chainId, { token, address: treasury }, 10n);
  expect(read).toBe(10n);
  await keepOpening(db, chainId, { token, address: treasury, units: 150n - read, read, block: 10n }, now);
  const opening = async () => (await openingsOf(db, chainId))({ token, address: treasury });
  expect(await opening()).toBe(140n);
  await move(6n, 40n, treasury);
  expect(await opening()).toBe(100n);
  await move(7n, 5n, outside);
  expect(await opening()).toBe(105n);
  await move(11n, 1_000n, treasury);
  expect(await opening()).toBe(105n);
  await db.query("UPDATE evm_transfers SET state = 'gone' WHERE block_number = 5");
  expect(await opening()).toBe(115n);
});
