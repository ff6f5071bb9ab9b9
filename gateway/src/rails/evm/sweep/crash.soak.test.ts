import { expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import {
  type Bench,
  emptied,
  endpointsThat,
  openBench,
  transactions,
} from '../../../../test/chain/sweep-fixtures.ts';
import { expireLeases, testDatabase } from '../../../../test/support/database.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { Endpoints } from '../rpc/endpoints.ts';

const { db } = await testDatabase();
const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
const usdt = chain.tokens['usdt-bep20']!;
const dollar = 10n ** 18n;

class Killed extends Error {}

type Doomed = { db: Database; endpoints: Pick<Endpoints, 'use'>; isDead(): boolean };

/**
 * A database and endpoints for a process that dies at its `last` call to either: before it is done, or when it is
 * done and nobody hears of it. From then on nothing reaches anybody.
 */
function doomed(bench: Bench, last: number, when: 'before' | 'after'): Doomed {
  let calls = 0;
  async function step<T>(work: () => Promise<T>): Promise<T> {
    calls += 1;
    if (calls > last || (calls === last && when === 'before')) throw new Killed();
    const result = await work();
    if (calls === last) throw new Killed();
    return result;
  }
  const query = (...args: unknown[]) => step(() => Reflect.apply(db.query, db, args));
  const connect = async () => {
    const client = await db.connect();
    return {
      query: (...args: unknown[]) => step(() => Reflect.apply(client.query, client, args)),
      release: (broken?: Error) => client.release(broken),
    };
  };
  return {
    db: { query, connect } as unknown as Database,
    endpoints: endpointsThat(bench.deps.endpoints, (_, ask) => step(ask)),
    isDead: () => calls >= last,
  };
}

/** All that a sweeper does: sends, offers for more, sees it mined and final. Ends where it dies. */
async function live(bench: Bench, process: Doomed): Promise<void> {
  const sweeper = bench.sweeper(process);
  await chain.client.setAutomine(false);
  await sweeper.tick();
  bench.clock.advance(60);
  await sweeper.tick();
  await chain.mine();
  await sweeper.tick();
  await chain.mine(3);
  await bench.scan();
  await sweeper.tick();
}

// Every step takes a while: some of them each time, all of them in a soak.
const stride = process.env.SOAK ? 1 : 10;

test.each([
  ['before', 1],
  ['after', 6],
] as const)(
  'a process that dies %s any step leaves nothing undone and nothing twice, and skips no nonce',
  async (when, first) => {
    for (let last = process.env.SOAK ? 1 : first; ; last += stride) {
      await emptied(db);
      const bench = await openBench(db, chain);
      const payments = await bench.deposit(usdc, [dollar, dollar]);
      const others = await bench.deposit(usdt, [dollar]);
      const process = doomed(bench, last, when);
      await live(bench, process).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      const hasLived = !process.isDead();
      await chain.client.setAutomine(true);
      await chain.mine();

      // The sender lock runs out, and another process goes on.
      await expireLeases(db);
      const sweeper = bench.sweeper();
      for (let round = 0; round < 3; round += 1) {
        bench.clock.advance(3600);
        await bench.settle(sweeper);
      }
      const at = `step ${last}`;
      expect([at, await bench.left(usdc, payments), await bench.left(usdt, others)]).toEqual([
        at,
        [0n, 0n],
        [0n],
      ]);
      const sent = await transactions(db);
      expect([at, sent.map(({ state }) => state)]).toEqual([at, ['final', 'final']]);
      expect([at, sent.map(({ nonce }) => nonce), await bench.nonce()]).toEqual([at, [0n, 1n], 2]);
      expect(sent.flatMap((each) => each.payments).sort()).toEqual([...payments, ...others].sort());
      if (hasLived) break;
    }
  },
  process.env.SOAK ? 1_200_000 : 900_000,
);
