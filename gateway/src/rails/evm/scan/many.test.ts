import { expect, test } from 'vitest';
import { type Game, openGame } from '../../../../test/chain/game.ts';
import { checkAgainstChain, settleDown } from '../../../../test/chain/oracle.ts';
import { play, tick } from '../../../../test/chain/play.ts';
import type { Share } from '../../../../test/chain/steps.ts';
import { openWorld } from '../../../../test/chain/world.ts';
import { paymentById } from '../../../../test/support/payment-fixtures.ts';

const world = await openWorld();
/** What a payment of 10 USDC takes, in units of a token with 18 decimals. */
const due = 10n ** 19n;

async function openPayments(count: number): Promise<Game> {
  const game = await openGame(world, {
    finality: 'finalized',
    confirmations: 3,
    endpoints: 2,
    liar: 0,
    isBelieved: false,
    aheadSeconds: 0,
  });
  for (let made = 0; made < count; made++) await play(game, { do: 'create', currency: 'USDC' });
  return game;
}

/** One transaction with these parts of what is due; the status that each payment comes to when it is seen. */
async function pay(game: Game, shares: Share[]): Promise<string[]> {
  const parts = shares.map((share, payment) => ({ payment, share }));
  await play(game, {
    do: 'block',
    transactions: [{ do: 'many', payer: 0, token: 'usdc-bep20', parts }],
  });
  await tick(game, 0, null);
  return await statusesOf(game);
}

async function statusesOf({ paid }: Game): Promise<string[]> {
  return await Promise.all(paid.map(async ({ payment }) => (await paymentById(world.db, payment.id)).status));
}

/** How many transfers, of how many transactions, the payments have. */
async function countsOf({ paid }: Game) {
  const { rows } = await world.db.query<{ transfers: number; transactions: number; units: bigint }>(
    `SELECT count(*)::float8 AS transfers, count(DISTINCT transaction)::float8 AS transactions, sum(units) AS units
     FROM payment_transfers WHERE payment_id = ANY ($1) AND state = 'final'`,
    [paid.map(({ payment }) => payment.id)],
  );
  return rows[0];
}

test('one transaction with 50 transfers to 50 payments completes each of them', async () => {
  const game = await openPayments(50);
  expect(await pay(game, Array(50).fill({ thousandths: 1000, dust: 0 }))).toEqual(Array(50).fill('pending'));
  await settleDown(game);
  expect(await statusesOf(game)).toEqual(Array(50).fill('completed'));
  expect(await countsOf(game)).toEqual({ transfers: 50, transactions: 1, units: 50n * due });
  await checkAgainstChain(game);
});

test('one transaction with three transfers to one payment counts all three', async () => {
  const game = await openPayments(1);
  // Two alike, so that neither may pass for the other, and one of an odd amount.
  const parts = [250, 250, 500].map((thousandths) => ({ thousandths, dust: thousandths === 500 ? 7 : 0 }));
  expect(await pay(game, parts)).toEqual(['pending']);
  await settleDown(game);
  expect(await statusesOf(game)).toEqual(['completed']);
  expect(await countsOf(game)).toEqual({ transfers: 3, transactions: 1, units: due + 7n });
  await checkAgainstChain(game);
});

test('one transaction with 50 transfers to one payment counts all 50', async () => {
  const game = await openPayments(1);
  expect(await pay(game, Array(50).fill({ thousandths: 20, dust: 0 }))).toEqual(['pending']);
  await settleDown(game);
  expect(await statusesOf(game)).toEqual(['completed']);
  expect(await countsOf(game)).toEqual({ transfers: 50, transactions: 1, units: due });
  await checkAgainstChain(game);
});
