import { expect, test } from 'vitest';
import { testDatabase } from '../../../../../test/support/database.ts';
import { newId } from '../../../../kit/ids.ts';
import type { Hex } from '../../config/chains.ts';
import { rawTransfers, topicOf, transferTopic } from './logs.ts';
import { matchTransfers } from './match.ts';

const { db } = await testDatabase();
const token: Hex = `0x${'aa'.repeat(20)}`;
const word = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const none = { configured: [], watches: [], direct: new Set<Hex>() };

/** An address that was given out in a mode, with the same beginning as every other. */
async function give(isTest: boolean, last: number): Promise<Hex> {
  const address: Hex = `0x${'bb'.repeat(19)}0${last}`;
  await db.query(
    `INSERT INTO evm_addresses (address, owner_id, chain_ids, is_test, treasury, created_at)
     VALUES ($1, $2, '{1}', $3, '0x00', now())`,
    [address, newId(), isTest],
  );
  return address;
}

const logTo = (to: Hex, at: number) => ({
  ...{ address: token, blockNumber: '0x1', blockHash: word(1), transactionHash: word(2) },
  ...{ logIndex: `0x${at}`, removed: false, data: word(5) },
  topics: [transferTopic, topicOf(`0x${'cc'.repeat(20)}`), topicOf(to)],
});

test('a chain finds transfers to the addresses of its own mode alone', async () => {
  const [live, testnet] = [await give(false, 1), await give(true, 2)];
  const raw = rawTransfers([[logTo(live, 0), logTo(testnet, 1)]], [{ address: token }]);
  const found = async (isTest: boolean) =>
    (await matchTransfers(db, { isTest }, none, raw)).map(({ address }) => address);
  expect(await found(false)).toEqual([live]);
  expect(await found(true)).toEqual([testnet]);
});
