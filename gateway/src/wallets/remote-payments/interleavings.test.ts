import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type PayingServer, startPayingServer } from '../../../test/remote-wallets/paying-server.ts';
import type { Fault } from '../../../test/remote-wallets/remote-wallets-server.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { silentLog } from '../../../test/support/fixtures.ts';
import {
  auditFindings,
  openShop,
  pass,
  paymentById,
  report,
  type Shop,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { Refusal } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Payment } from '../../payments/payment/payment.ts';
import { cancelPayment } from '../../payments/settlement/act.ts';
import { createRemoteWallets, type RemoteWallets } from '../remote-wallets.ts';
import { carryOn } from './carry-on.ts';
import { type PayOutcome, payRemotely, type RemotePaymentDeps } from './pay.ts';

const { db } = await testDatabase();
afterAll(async () => {
  expect(await auditFindings(db)).toEqual([]);
});

/** A process that died: nothing that it was about to do after this happens. */
class Death extends Error {}

type Call = 'authorize' | 'authorization' | 'capture' | 'void';
/** Where a process dies: before its call of that kind, or after it; null: it lives. */
type End = { call: Call; when: 'before' | 'after' } | null;
type Act =
  | { pay: number; password: 'secret' | 'wrong'; end: End }
  | { loop: End }
  | { cancel: number }
  | { chain: number }
  | { answer: 'authorized' | 'refused' }
  | { approves: boolean };
/** What happens at the same time, and then how much time passes. */
type Step = { acts: Act[]; seconds: number };

const which = fc.nat(1);
const end: fc.Arbitrary<End> = fc.option(
  fc.record({
    call: fc.constantFrom<Call>('authorize', 'authorization', 'capture', 'void'),
    when: fc.constantFrom('before' as const, 'after' as const),
  }),
  { nil: null, freq: 1 },
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      pay: which,
      password: fc.constantFrom('secret' as const, 'secret' as const, 'secret' as const, 'wrong' as const),
      end,
    }),
  },
  { weight: 4, arbitrary: fc.record({ loop: end }) },
  { weight: 1, arbitrary: fc.record({ cancel: which }) },
  { weight: 1, arbitrary: fc.record({ chain: which }) },
  { weight: 2, arbitrary: fc.record({ answer: fc.constantFrom('authorized' as const, 'refused' as const) }) },
  { weight: 1, arbitrary: fc.record({ approves: fc.boolean() }) },
);
const step: fc.Arbitrary<Step> = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 3 }),
  seconds: fc.constantFrom(0, 0, 4, 11, 301, 601),
});
const fault = fc.oneof(
  { weight: 10, arbitrary: fc.constant(null) },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Fault>('dropped', 'error', 'done, then dropped', 'done, then error'),
  },
  // Each of these costs a timeout.
  { weight: 1, arbitrary: fc.constantFrom<Fault>('silent', 'done, then silent', 'overtaken') },
);

/** What happens while the backend is about to do a call, after so many seconds that the call is given up. */
const meanwhile: fc.Arbitrary<Act | null> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.record({ loop: fc.constant(null) }) },
  { weight: 1, arbitrary: fc.record({ cancel: which }) },
  { weight: 1, arbitrary: fc.record({ chain: which }) },
);

type World = {
  shop: Shop;
  payments: Payment[];
  backend: PayingServer;
  client: RemoteWallets;
  deps: RemotePaymentDeps;
  /** What each customer was told, by the id of the try. */
  told: Map<string, PayOutcome>;
};

/** The client of a process that dies there; `note` hears what it asks to be authorized. */
function mortal(client: RemoteWallets, last: End, note: (id: string) => void = () => {}): RemoteWallets {
  let isDead = false;
  const wrapped =
    <A extends unknown[], R>(call: Call, work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const dies = last?.call === call;
      if (isDead || (dies && last.when === 'before')) {
        isDead = true;
        throw new Death();
      }
      const result = await work(...args);
      if (!dies) return result;
      isDead = true;
      throw new Death();
    };
  return {
    ...client,
    authorize: wrapped('authorize', (authorization) => {
      note(authorization.id);
      return client.authorize(authorization);
    }),
    authorization: wrapped('authorization', client.authorization),
    capture: wrapped('capture', client.capture),
    void: wrapped('void', client.void),
  };
}

async function perform({ shop, payments, backend, client, deps, told }: World, each: Act): Promise<void> {
  if ('pay' in each) {
    let id = '';
    const remote = mortal(client, each.end, (asked) => {
      id = asked;
    });
    const payer = { username: 'jane', password: each.password };
    const outcome = await payRemotely({ ...deps, remote }, payments[each.pay]!.id, payer);
    told.set(id, outcome);
  } else if ('loop' in each) await carryOn({ ...deps, remote: mortal(client, each.loop) });
  else if ('cancel' in each)
    await write(shop, (tx) => cancelPayment(tx, deps, payments[each.cancel]!.id, 'customer'));
  else if ('chain' in each) await report(shop, payments[each.chain]!, { key: newId(), units: 10_000_000n });
  else if ('answer' in each) backend.answer(each.answer);
  else backend.approves = each.approves;
}

type Schedule = { faults: (Fault | null)[]; meanwhiles: (Act | null)[] };

async function play(world: World, steps: Step[], { faults, meanwhiles }: Schedule): Promise<void> {
  let calls = 0;
  let isBusy = false;
  world.backend.faultOf = () => faults[calls++ % faults.length] ?? null;
  world.backend.gate = async () => {
    const next = meanwhiles[calls % meanwhiles.length] ?? null;
    if (next === null || isBusy) return;
    isBusy = true;
    world.shop.clock.advance(11);
    await perform(world, next).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    isBusy = false;
  };
  for (const { acts, seconds } of steps) {
    const ended = await Promise.allSettled(acts.map((each) => perform(world, each)));
    for (const result of ended) {
      if (result.status === 'fulfilled') continue;
      const { reason } = result;
      if (!(reason instanceof Death || reason instanceof Refusal)) throw reason;
    }
    await pass(world.shop, seconds);
  }
}

async function settle({ shop, backend, deps }: World): Promise<void> {
  const { url, token } = backend;
  const remote = createRemoteWallets({ url, token, timeoutMs: 20_000 });
  backend.faultOf = () => null;
  backend.gate = async () => {};
  for (let runs = 0; runs < 20; runs++) {
    await pass(shop, 301);
    if ((await carryOn({ ...deps, remote })) === 0) return await remote.close();
  }
  throw new Error('It never came to an end');
}

/** What is booked for a payment out of wallets elsewhere: ids and units at 18 decimals. */
async function bookedFor(payment: Payment): Promise<string[]> {
  const { rows } = await db.query<{ key: string; units: bigint }>(
    `SELECT p.key, t.units FROM payment_transfers p JOIN ledger_transfers t ON t.id = p.ledger_id
     JOIN ledger_accounts a ON a.id = t.debit AND a.kind = 'external' AND a.owner = 'wallets'
     WHERE p.payment_id = $1 AND p.rail = 'wallet' AND p.state = 'final' AND t.units = p.units`,
    [payment.id],
  );
  return rows.map(({ key, units }) => `${key} ${units * 10n ** 12n}`).sort();
}

async function judge({ payments, backend, told }: World): Promise<void> {
  const captured = [...backend.book].filter(([, { state }]) => state === 'captured');
  const open = [...backend.book.values()].filter(
    ({ state }) => state === 'authorized' || state === 'waiting',
  );
  expect(open).toEqual([]);
  const sum = captured.reduce((total, [, { units }]) => total + units, 0n);
  expect(backend.purses.get('jane usdc-erc20')).toBe(100n * 10n ** 18n - sum);

  const books = await Promise.all(payments.map(bookedFor));
  expect(books.flat().sort()).toEqual(captured.map(([id, { units }]) => `${id} ${units}`).sort());
  for (const [at, payment] of payments.entries()) {
    expect(books[at]!.length).toBeLessThanOrEqual(1);
    // What a wallet was asked to pay in time counts, whenever the answer came.
    if (books[at]!.length === 1) expect((await paymentById(db, payment.id)).status).toBe('completed');
  }
  const took = new Set(captured.map(([id]) => id));
  for (const [id, outcome] of told) {
    if (outcome === 'paid') expect(took).toContain(id);
    else if (outcome !== 'checking' && outcome !== 'waiting') expect(took).not.toContain(id);
  }
}

test('whatever fails, dies or happens at once, both books agree and nobody pays twice or for what has ended', async () => {
  const plans = fc.array(step, { minLength: 3, maxLength: 9 });
  const schedule = fc.record({
    faults: fc.array(fault, { minLength: 1, maxLength: 12 }),
    meanwhiles: fc.array(meanwhile, { minLength: 1, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(plans, schedule, async (steps, faults) => {
      const backend = await startPayingServer({ jane: { 'usdc-erc20': '100' } });
      const client = createRemoteWallets({ url: backend.url, token: backend.token, timeoutMs: 250 });
      try {
        const shop = await openShop(db);
        const deps = { ...shop.deps, db, log: silentLog, remote: client, isTaken: () => true };
        const payments = [await shop.create(), await shop.create()];
        const world: World = { shop, payments, backend, client, deps, told: new Map() };
        await play(world, steps, faults);
        await settle(world);
        await judge(world);
      } finally {
        await client.close();
        await backend.close();
      }
    }),
    { numRuns: 15 },
  );
});
