import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedMembers } from '../../../test/payouts/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { noHints, seedBalance, seedIntegration, testClock } from '../../../test/support/fixtures.ts';
import { auditFindings } from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { createAssets } from '../../money/assets.ts';
import type { Sending, SendReport } from '../../rails/rail.ts';
import type { PayoutStatus } from '../payout/payout.ts';
import { merchantPayout } from '../payout/purposes.ts';
import { payoutsById } from '../payout/read.ts';
import { changePayoutSettings } from '../rules/settings.ts';
import { setPayoutTerms } from '../rules/terms.ts';
import { approvePayout, rejectPayout } from './approve.ts';
import { cancelPayout, failPayout } from './cancel.ts';
import { orderPayouts, type Wanted } from './order.ts';
import { takeSendReports } from './reports.ts';
import { moves, type PayoutDeps } from './state.ts';

const { db } = await testDatabase();
const assets = createAssets();
const asset = assets.get('usdc-base');
const opening = 1_000n;
const fee = 2n;

/** What a rail knows of an order, in the model. */
type RailOrder = 'queued' | 'signed' | 'sent' | 'taken back' | 'failed' | 'sent late';
type Modelled = {
  status: PayoutStatus;
  units: bigint;
  order: RailOrder | null;
  approvals: Set<string>;
  endedAs?: PayoutStatus;
};

/** A rail that only notes its orders: the schedule says what it reports. */
function railOf(orders: Map<string, RailOrder>): Sending {
  return {
    ...{ rail: 'modelled', mode: 'test', assets: [asset.code] },
    outside: { kind: 'external', owner: 'modelled' },
    faultOf: () => null,
    ownOf: async () => new Set(),
    unavailable: async () => null,
    async order(_, { id }) {
      if (orders.has(id)) throw new Error('An order is given once');
      orders.set(id, 'queued');
    },
    async cancel(_, id) {
      if (orders.get(id) !== 'queued') return false;
      orders.set(id, 'taken back');
      return true;
    },
  };
}

/** One of the newest payouts of which the step can be. */
const which = fc.nat(2);
const crash = fc.constantFrom(false, false, false, true);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ ask: fc.bigInt({ min: 1n, max: 400n }), crash }) },
  { weight: 4, arbitrary: fc.record({ approve: which, by: fc.constantFrom('ann', 'ben', 'asker') }) },
  { weight: 1, arbitrary: fc.record({ role: fc.constantFrom('ann', 'ben') }) },
  { weight: 1, arbitrary: fc.record({ reject: which }) },
  { weight: 2, arbitrary: fc.record({ cancel: which, crash }) },
  { weight: 1, arbitrary: fc.record({ fail: which }) },
  {
    weight: 8,
    arbitrary: fc.record({
      report: which,
      /** Which of the reports that the rail can make then. */
      nth: fc.nat(11),
      twice: fc.boolean(),
      crash,
    }),
  },
);

class Crash extends Error {}

/** What a rail can report of an order, and what that is then. */
const ordersAfter: Readonly<Record<RailOrder, Partial<Record<SendReport['state'], RailOrder>>>> = {
  queued: { waiting: 'queued', sending: 'signed', sent: 'sent', failed: 'failed' },
  signed: { sending: 'signed', waiting: 'queued', sent: 'sent', failed: 'failed' },
  sent: { sent: 'sent', undone: 'signed' },
  // Bytes of it that somebody kept are mined, and may leave the chain again.
  failed: { sent: 'sent late' },
  'taken back': { sent: 'sent late' },
  'sent late': { sent: 'sent late', undone: 'failed' },
};

const statusAfter: Record<RailOrder, PayoutStatus> = {
  queued: 'queued',
  signed: 'sending',
  sent: 'completed',
  failed: 'failed',
  'taken back': 'cancelled',
  'sent late': 'completed',
};

test('no order of what people and rails do pays twice, pays less, or leaves a hold behind', async () => {
  const run = async (approvals: number, steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) => {
    const { integrationId } = await seedIntegration(db);
    const [ann = '', ben = '', asker = ''] = await seedMembers(db, integrationId, 3, new Date());
    const people = { ann, ben, asker };
    /** Those who may not approve at the time. */
    const barred = new Set<string>();
    const owner = { integrationId, mode: 'test' } as const;
    const business = { kind: 'business', owner: integrationId } as const;
    await seedBalance(db, { ...business, mode: 'test', asset: asset.code, units: opening });
    const orders = new Map<string, RailOrder>();
    const clock = testClock();
    const deps: PayoutDeps = {
      ...{
        hints: noHints,
        assets,
        sendings: [railOf(orders)],
        purposes: { merchant_payout: merchantPayout },
      },
      now: clock.now,
    };
    const settings = { enabled: true, approvals, approveAbove: {}, knownAddressesOnly: false };
    await transaction(db, (tx) => changePayoutSettings(tx, owner, settings, clock.now()));
    const model = new Map<string, Modelled>();
    const free = () => {
      const out = [...model.values()].filter(
        ({ status }) => !['cancelled', 'rejected', 'failed'].includes(status),
      );
      return (
        opening - out.reduce((sum, { units, order }) => sum + units + (order === 'sent late' ? 0n : fee), 0n)
      );
    };
    /** Runs a write; a crash rolls it and the rail's notes back. Null: it was refused, or crashed. */
    const write = async <T>(work: Parameters<typeof transaction<T>>[1], crash = false): Promise<T | null> => {
      const before = new Map(orders);
      try {
        return await transaction(db, async (tx) => {
          const done = await work(tx);
          if (crash) throw new Crash();
          return done;
        });
      } catch (error) {
        if (!(error instanceof Crash || error instanceof Refusal)) throw error;
        orders.clear();
        for (const [id, order] of before) orders.set(id, order);
        return null;
      }
    };
    const newest = (place: number, is: (known: Modelled) => boolean): [string, Modelled] | undefined =>
      [...model].filter(([, known]) => is(known)).at(-1 - place);
    const isOpen = ({ status }: Modelled): boolean => status === 'awaiting_approval' || status === 'queued';

    for (const each of steps) {
      clock.advance(1);
      if ('ask' in each) {
        const wanted: Wanted = { asset, units: each.ask, to: `0x${'ab'.repeat(20)}`, memo: null };
        const terms = {
          owner,
          mode: 'test',
          purpose: 'merchant_payout',
          debit: business,
          isCharged: true,
          requester: { accountId: people.asker, name: 'asker', limits: null },
          ownTime: clock.now(),
        } as const;
        const made = await write((tx) => orderPayouts(tx, deps, terms, [wanted]), each.crash);
        expect(made === null).toBe(each.crash || each.ask + fee > free());
        const [payout] = made ?? [];
        if (!payout) continue;
        const status = approvals > 0 ? 'awaiting_approval' : 'queued';
        const order = approvals > 0 ? null : 'queued';
        model.set(payout.id, { status, units: each.ask, order, approvals: new Set() });
        continue;
      }
      if ('role' in each) {
        const role = barred.delete(each.role) ? 'finance' : 'support';
        if (role === 'support') barred.add(each.role);
        await db.query('UPDATE members SET role = $2 WHERE account_id = $1', [people[each.role], role]);
        continue;
      }
      const found =
        'approve' in each
          ? newest(each.approve, isOpen)
          : 'reject' in each
            ? newest(each.reject, isOpen)
            : 'cancel' in each
              ? newest(each.cancel, () => true)
              : 'fail' in each
                ? newest(each.fail, isOpen)
                : newest(each.report, ({ order }) => order !== null);
      if (!found) continue;
      const [id, known] = found;
      if ('approve' in each) {
        if (barred.has(each.by)) continue;
        const approver = { accountId: people[each.by], name: each.by, side: 'merchant' } as const;
        const isTaken = await write((tx) => approvePayout(tx, deps, id, approver));
        const may =
          known.status === 'awaiting_approval' && each.by !== 'asker' && !known.approvals.has(each.by);
        expect(isTaken !== null).toBe(may);
        if (may) known.approvals.add(each.by);
        if (may && known.approvals.difference(barred).size >= approvals)
          Object.assign(known, { status: 'queued', order: 'queued' });
      } else if ('reject' in each) {
        const isTaken = await write((tx) => rejectPayout(tx, deps, id, 'Not now'));
        expect(isTaken !== null).toBe(known.status === 'awaiting_approval');
        if (isTaken) known.status = 'rejected';
      } else if ('cancel' in each) {
        const isTaken = await write((tx) => cancelPayout(tx, deps, id), each.crash);
        const may =
          known.status === 'awaiting_approval' || (known.status === 'queued' && known.order === 'queued');
        expect(isTaken !== null).toBe(may && !each.crash);
        if (isTaken) Object.assign(known, { status: 'cancelled', order: known.order && 'taken back' });
      } else if ('fail' in each) {
        const isTaken = await write((tx) => failPayout(tx, deps, id, 'The operator gave it up'));
        expect(isTaken !== null).toBe(known.status === 'queued' && known.order === 'queued');
        if (isTaken) Object.assign(known, { status: 'failed', order: 'taken back' });
      } else {
        const reports = known.order === null ? [] : Object.entries(ordersAfter[known.order]);
        const reported = reports[each.nth % reports.length];
        if (!reported) continue;
        const [state, order] = reported as [SendReport['state'], RailOrder];
        const report = {
          rail: 'modelled',
          id,
          state,
          transaction: null,
          why: null,
          at: clock.now(),
        };
        const told = each.twice ? [report, report] : [report];
        const isTaken = await write((tx) => takeSendReports(tx, deps, told), each.crash);
        if (isTaken === null) continue;
        orders.set(id, order);
        const wasLate = known.order === 'sent late';
        if (order === 'sent late' && !wasLate) known.endedAs = known.status;
        // What comes back has ended as before; what left may be more than there was.
        const status = wasLate && order === 'failed' ? known.endedAs : statusAfter[order];
        Object.assign(known, { status, order });
      }
    }

    const stored = await payoutsById(db, [...model.keys()]);
    for (const [id, { status }] of model) expect(stored.get(id)?.status).toBe(status);
    const { rows } = await db.query<{ balance: bigint; held: bigint }>(
      `SELECT coalesce(sum(balance), 0) AS balance, coalesce(sum(held), 0) AS held FROM ledger_accounts
       WHERE owner = $1 AND kind IN ('business', 'receivable')`,
      [integrationId],
    );
    const sum = (statuses: PayoutStatus[]) =>
      [...model.values()]
        .filter(({ status }) => statuses.includes(status))
        .reduce((total, { units }) => total + units + fee, 0n);
    const late = [...model.values()].filter(({ order }) => order === 'sent late').length;
    expect(rows[0]).toEqual({
      // What leaves though it had ended costs no fee.
      balance: opening - sum(['completed']) + fee * BigInt(late),
      held: sum(['awaiting_approval', 'queued', 'sending']),
    });
    const debts = await db.query(
      `SELECT FROM ledger_accounts b JOIN ledger_accounts r USING (owner)
       WHERE b.owner = $1 AND b.kind = 'business' AND r.kind = 'receivable' AND r.balance < 0 AND b.balance > b.held`,
      [integrationId],
    );
    expect(debts.rowCount).toBe(0);
    const { rows: told } = await db.query<{ type: string; count: bigint }>(
      `SELECT type, count(*) AS count FROM events WHERE integration_id = $1 AND payout_id = ANY ($2)
       GROUP BY type, payout_id HAVING count(*) > 1`,
      [integrationId, [...model.keys()]],
    );
    expect(told).toEqual([]);
  };

  await transaction(db, (tx) =>
    setPayoutTerms(tx, asset.code, { fee, minimum: 0n, dailyLimit: null, approveAbove: null }, new Date()),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(2), fc.array(step, { minLength: 30, maxLength: 80, size: 'max' }), run),
    {
      numRuns: 25,
    },
  );
  expect(await auditFindings(db)).toEqual([]);
});

test('only moves of the table are made', () => {
  for (const end of ['cancelled', 'rejected', 'failed'] as const) expect(moves[end]).toEqual(['completed']);
  expect(moves.completed).toEqual(['sending', 'cancelled', 'rejected', 'failed']);
});
