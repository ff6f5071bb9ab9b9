import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DepositFate,
  isCompleted,
  isProved,
  receivedBy,
  type UnmatchedModel,
} from '../../../test/schedules/unmatched-model.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  openShop,
  paymentById,
  type Shop,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { depositAt, onePi, reportPaid, reportUnmatched } from '../../../test/support/unmatched-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { outsideTotals } from '../../ledger/totals.ts';
import type { UnmatchedDeposit } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
import { claimPaid } from '../settlement/act.ts';
import { receivedUnits, transfersOf } from '../settlement/received.ts';
import { assignUnmatched, keepUnmatched, type UnmatchedRow } from './assign.ts';
import { depositMatches } from './read.ts';

// Unmatched deposits are reported, claimed, proved and decided about in any order, each of it perhaps twice at once.
// After every step they and the payments are held against a model; at the end the ledger is, to the unit.

const runs = process.env.SOAK ? 1_000 : 15;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;
const due = 10n * onePi;

const payment = fc.nat(2);
const deposit = fc.nat(3);
const account = fc.nat(2);
const command = fc.oneof(
  fc.record({ do: fc.constant('report'), deposit }),
  fc.record({ do: fc.constant('claim'), payment, deposit }),
  fc.record({ do: fc.constant('pay'), payment, account, units: fc.constantFrom(1_000n, onePi, due) }),
  fc.record({ do: fc.constantFrom('assign', 'assign', 'keep'), payment, deposit }),
  fc.record({ do: fc.constant('open'), payment: fc.constant(2) }),
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
/** Half of the steps lead to a proof, so that there are some. */
const proof = fc.record({ payment, deposit }).chain((each) =>
  fc.shuffledSubarray(
    [
      { do: 'report' as const, deposit: each.deposit },
      { do: 'claim' as const, ...each },
      { do: 'prove' as const, ...each },
    ],
    { minLength: 3 },
  ),
);
type Step = (Command | { do: 'prove'; payment: number; deposit: number }) & { twice: boolean };
const steps = fc
  .array(fc.tuple(fc.oneof(proof, fc.array(command, { minLength: 1, maxLength: 3 })), fc.boolean()), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.flatMap(([part, twice]) => part.map((each) => ({ ...each, twice }) as Step)));
const world = fc.record({
  deposits: fc.array(
    fc.record({ account, units: fc.constantFrom(onePi, (due * 49n) / 50n, due, due, due + 1n) }),
    {
      minLength: 4,
      maxLength: 4,
    },
  ),
  steps,
});

type Run = {
  shop: Shop;
  model: UnmatchedModel;
  payments: Map<number, Payment>;
  deposits: UnmatchedDeposit[];
};

const { db } = await testDatabase();

async function open(run: Run, number: number): Promise<void> {
  if (run.payments.has(number)) return;
  run.shop.clock.advance(1);
  run.payments.set(number, await run.shop.create({ currency: 'PI' }));
}

const senderOf = (run: Run, number: number): string => `G${run.shop.owner.integrationId} ${number}`;

/** Does a step in the gateway and in the model; what is refused must be refused by both. */
async function play(run: Run, step: Step): Promise<void> {
  const { shop, model } = run;
  shop.clock.advance(1);
  if (step.do === 'open') return await open(run, step.payment);
  const target = 'payment' in step ? run.payments.get(step.payment) : undefined;
  if ('payment' in step && !target) return;
  const known = 'deposit' in step ? model.deposits[step.deposit]! : undefined;
  const deposit = 'deposit' in step ? run.deposits[step.deposit]! : undefined;
  const twice = (work: () => Promise<unknown>) => Promise.all(step.twice ? [work(), work()] : [work()]);
  const by = { accountId: newId(), reason: 'By hand' };
  switch (step.do) {
    case 'report':
      if (known!.fate === 'unreported') {
        deposit!.at = shop.clock.now();
        known!.fate = 'open';
      }
      await twice(() => reportUnmatched(shop, deposit!));
      break;
    case 'claim': {
      const { id } = target!;
      const claim = () => write(shop, (tx) => claimPaid(tx, id, deposit!.transaction, shop.clock.now()));
      if (isCompleted(model, step.payment)) return await expect(claim()).rejects.toThrow('Not possible');
      model.claims.push({ payment: step.payment, deposit: step.deposit });
      await twice(claim);
      break;
    }
    case 'pay':
    case 'prove': {
      const number = step.do === 'pay' ? step.account : known!.account;
      const units = step.do === 'pay' ? step.units : 1_000n;
      model.paid.push({ payment: step.payment, account: number, units });
      const seen = { units, sender: senderOf(run, number), key: newId() };
      await twice(() => reportPaid(shop, target!, seen));
      break;
    }
    case 'assign':
    case 'keep': {
      const work = () =>
        write<unknown>(shop, (tx) =>
          step.do === 'assign'
            ? assignUnmatched(tx, shop.deps, deposit!.ledgerId, { paymentId: target!.id, by })
            : keepUnmatched(tx, deposit!.ledgerId, by, shop.clock.now()),
        );
      const { fate } = known!;
      if (fate === 'unreported') return await expect(work()).rejects.toThrow('Not found');
      const isSame = step.do === 'assign' && typeof fate === 'object' && fate.paymentOf === step.payment;
      if (fate !== 'open' && !isSame) return await expect(work()).rejects.toThrow('has decided');
      known!.fate = step.do === 'keep' ? 'own' : { paymentOf: step.payment };
      await (step.do === 'keep' ? work() : twice(work));
      break;
    }
  }
}

/** Beside each deposit that waits stand the payments that have a proof, and no others. */
async function checkProofs(
  { shop, model, payments, deposits }: Run,
  rows: readonly UnmatchedRow[],
): Promise<void> {
  for (const [index, { fate }] of model.deposits.entries()) {
    if (fate !== 'open') continue;
    const row = rows.find(({ ledger_id }) => ledger_id === deposits[index]!.ledgerId);
    const matches = await depositMatches(db, shop.assets, row!);
    const proved = [...payments].filter(([, { id }]) => matches.some((each) => each.id === id && each.proof));
    const claimed = [...payments].filter(([, { id }]) =>
      matches.some((each) => each.id === id && each.claimed_at),
    );
    const numbers = (list: typeof proved) => list.map(([number]) => number).sort();
    const claims = model.claims.filter(({ deposit: of }) => of === index).map((each) => each.payment);
    expect(numbers(claimed)).toEqual([...new Set(claims)].sort());
    for (const number of claims)
      expect(numbers(proved).includes(number)).toBe(isProved(model, number, index));
  }
}

async function check(run: Run): Promise<void> {
  const { shop, model, payments, deposits } = run;
  const { rows } = await db.query<UnmatchedRow>(
    'SELECT * FROM unmatched_deposits WHERE ledger_id = ANY($1)',
    [deposits.map(({ ledgerId }) => ledgerId)],
  );
  const fates = deposits.map(({ ledgerId }): DepositFate => {
    const row = rows.find(({ ledger_id }) => ledger_id === ledgerId);
    if (!row) return 'unreported';
    const of = [...payments].find(([, { id }]) => id === row.payment_id);
    return row.state === 'assigned' ? { paymentOf: of![0] } : (row.state as DepositFate);
  });
  expect(fates).toEqual(model.deposits.map(({ fate }) => fate));
  await checkProofs(run, rows);
  for (const [number, { id }] of payments) {
    const current = await paymentById(db, id);
    const received = receivedUnits(shop.assets, current, await transfersOf(db, id));
    expect(received / 10n ** 11n).toBe(receivedBy(model, number));
    expect(current.status === 'completed').toBe(isCompleted(model, number));
  }
}

async function balances(): Promise<Record<string, bigint>> {
  const outside = (await outsideTotals(db, 'live')).map(({ owner, units }) => [owner, units] as const);
  const { rows } = await db.query<{ units: bigint }>(
    "SELECT balance AS units FROM ledger_accounts WHERE kind = 'suspense' AND owner = 'pi'",
  );
  return { pi: 0n, 'pi:operator': 0n, ...Object.fromEntries(outside), deposits: rows[0]?.units ?? 0n };
}

test(
  'whatever is reported, claimed, proved and decided, each deposit is where an operator put it and no unit is lost',
  async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ deposits, steps: played }) => {
        const shop = await openShop(db, { approved: true }, { mode: 'live' });
        const model: UnmatchedModel = {
          ...{ due, paid: [], claims: [] },
          deposits: deposits.map((each) => ({ ...each, fate: 'unreported' })),
        };
        const run: Run = { shop, model, payments: new Map(), deposits: [] };
        run.deposits = deposits.map((each) =>
          depositAt(shop, { units: each.units, sender: senderOf(run, each.account) }),
        );
        const before = await balances();
        await open(run, 0);
        await open(run, 1);
        for (const step of played) {
          await play(run, step);
          await check(run);
        }
        const after = await balances();
        const sum = (list: { units: bigint }[]) => list.reduce((total, { units }) => total + units, 0n);
        const reported = model.deposits.filter(({ fate }) => fate !== 'unreported');
        expect({
          came: before.pi! - after.pi!,
          own: after['pi:operator']! - before['pi:operator']!,
          open: after.deposits! - before.deposits!,
        }).toEqual({
          came: sum(reported) + sum(model.paid),
          own: sum(reported.filter(({ fate }) => fate === 'own')),
          open: sum(reported.filter(({ fate }) => fate === 'open')),
        });
        expect(await auditFindings(db)).toEqual([]);
      }),
      { numRuns: runs },
    );
  },
  timeoutMs,
);
