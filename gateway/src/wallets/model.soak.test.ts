import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  actorOf,
  coin,
  nextOrder,
  type Step,
  schedules,
  type TurnOf,
  thing,
} from '../../test/schedules/wallet-steps.ts';
import { testDatabase } from '../../test/support/database.ts';
import { noHints, seedBalance, seedUser } from '../../test/support/fixtures.ts';
import { auditFindings, openShop } from '../../test/support/payment-fixtures.ts';
import { type Tx, transaction } from '../kit/db/db.ts';
import { Refusal } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { balancesOf } from '../ledger/ledger.ts';
import { linesOf } from '../ledger/lines.ts';
import { takeSendReports } from '../payouts/lifecycle/reports.ts';
import { payoutErrors } from '../payouts/payout/errors.ts';
import { setPayoutTerms } from '../payouts/rules/terms.ts';
import type { Sending } from '../rails/rail.ts';
import { bookDeposit, depositsById } from './deposits/deposits.ts';
import { createEmbeddedBackend } from './embedded-backend.ts';
import { payInWallet } from './pay.ts';
import { send, sendsById } from './sends/send.ts';
import type { UserId } from './users.ts';
import { withdrawalPurpose } from './withdrawals/purpose.ts';
import { cancelWithdrawal, listWithdrawals, withdraw } from './withdrawals/withdraw.ts';

// Whatever users, chains, merchants and operators do, in any order and at once: no unit is made or lost.

const runs = process.env.SOAK ? 300 : 5;
const timeLimitMs = process.env.SOAK ? 1_800_000 : 900_000;

const { db } = await testDatabase();
const fee = coin / 10n;
const opening = 500n * coin;
const to = `0x${'ab'.repeat(20)}`;

class Crash extends Error {}

/** `net`: what a user has, with what is held and without what is owed. */
type Wallet = { id: UserId; name: string; net: bigint; isFrozen: boolean };
type Arrived = { owner: Wallet; units: bigint; ledgerId: string; isFinal: boolean };
type Out = { owner: Wallet; units: bigint; id: string; order: string };
type Standing = { available: bigint; held: bigint; owed: bigint };

async function play(groups: Step[][]): Promise<void> {
  const outs: Out[] = [];
  const sending: Sending = {
    ...{ rail: 'modelled', mode: 'live', assets: ['usdc-base'], faultOf: () => null },
    outside: { kind: 'external', owner: 'modelled' },
    ...{ ownOf: async () => new Set<string>(), unavailable: async () => null, order: async () => {} },
    cancel: async (_, id) => outs.find((out) => out.id === id)?.order === 'queued',
  };
  const shop = await openShop(db, { approved: true, fee: { bps: 100 } }, { mode: 'live' });
  const { clock } = shop;
  const asset = shop.assets.get('usdc-base');
  const { integrationId } = shop.owner;
  const business = { kind: 'business', owner: integrationId, mode: 'live' } as const;
  await seedBalance(db, { ...business, asset: asset.code, units: opening });
  const deps = {
    ...shop.deps,
    ...{ hints: noHints, sendings: [sending], purposes: { withdrawal: withdrawalPurpose } },
    ...{ faultOf: () => () => null, checks: false },
  };
  const backend = createEmbeddedBackend(db, clock.now);
  const wallets: Wallet[] = [];
  for (const each of ['ada', 'bob', 'cyn']) {
    const name = `${each}${newId().slice(-10)}`;
    wallets.push({ id: await seedUser(db, name, 'x'), name, net: 0n, isFrozen: false });
  }
  const arrivals: Arrived[] = [];
  let businessNet = opening;
  /** As it was before the group that is made: places in it are counted from the newest. */
  let newest: { outs: Out[]; arrivals: Arrived[] };
  const walletAt = (place: number): Wallet => wallets[place] ?? expect.fail('no such user');

  async function standing({ id }: Wallet): Promise<Standing> {
    const [own] = await balancesOf(db, { kind: 'user', owner: id, mode: 'live' });
    const [debt] = await balancesOf(db, { kind: 'receivable', owner: id, mode: 'live' });
    return { available: own?.available ?? 0n, held: own?.held ?? 0n, owed: -(debt?.available ?? 0n) };
  }

  /** Runs a write; a crash rolls it back. Null: it was refused, or crashed. */
  async function write<T>(crashes: boolean, work: (tx: Tx) => Promise<T>): Promise<T | null> {
    try {
      return await transaction(db, async (tx) => {
        const done = await work(tx);
        if (crashes) throw new Crash();
        return done;
      });
    } catch (error) {
      if (error instanceof Crash || error instanceof Refusal) return null;
      throw error;
    }
  }

  /**
   * Makes a step, and notes what it did. Returns whether it happened; null: there was nothing to do. What may happen is
   * judged by `before`, where the step is alone.
   */
  async function make(
    each: Step,
  ): Promise<{ happened: boolean; may?: (before: Standing) => boolean } | null> {
    if ('deposit' in each) {
      const owner = walletAt(each.deposit);
      const arrived = { owner, units: each.units, ledgerId: newId(clock.now()), isFinal: false };
      return await turn(arrived, each, () => arrivals.push(arrived));
    }
    if ('turn' in each) {
      const arrived = newest.arrivals[each.turn];
      return arrived ? await turn(arrived, each, () => {}) : null;
    }
    if ('pay' in each) {
      const owner = walletAt(each.pay);
      const dollars = each.units / coin;
      const { id } = await shop.create({ amount: Number(dollars), payment_reference: newId() });
      const payers = [owner, ...(each.rival === null ? [] : [walletAt(each.rival)])];
      const tries = payers.map((by) =>
        write(each.crash, (tx) => payInWallet(tx, deps, id, { userId: by.id, proof: null })).then((done) =>
          done === null ? [] : [by],
        ),
      );
      const paid = (await Promise.all(tries)).flat();
      expect(paid.length).toBeLessThanOrEqual(1);
      for (const by of paid) by.net -= each.units;
      if (paid.length > 0) businessNet += (each.units * 99n) / 100n;
      const happened = paid.length > 0;
      if (each.rival !== null) return { happened };
      const may = ({ available }: Standing) => !each.crash && !owner.isFrozen && available >= each.units;
      return { happened, may };
    }
    if ('send' in each) {
      const [owner, receiver] = [walletAt(each.send), walletAt(each.to)];
      const request = { mode: 'live', to: receiver.name, asset, units: each.units, note: null } as const;
      const formKey = newId();
      const once = () => write(each.crash, (tx) => send(tx, deps, owner.id, { ...request, formKey }));
      const sent = await Promise.all(each.twice ? [once(), once()] : [once()]);
      const done = sent.find((one) => one !== null);
      if (done) owner.net -= each.units;
      if (done) receiver.net += each.units;
      const may = ({ available }: Standing) =>
        !each.crash && owner !== receiver && !owner.isFrozen && !receiver.isFrozen && available >= each.units;
      return { happened: done !== undefined, may };
    }
    if ('withdraw' in each) {
      const owner = walletAt(each.withdraw);
      const request = { mode: 'live', asset, units: each.units, to, memo: null, formKey: newId() } as const;
      const once = () =>
        write(each.crash, (tx) => withdraw(tx, deps, { userId: owner.id, proof: null }, request));
      const made = (await Promise.all(each.twice ? [once(), once()] : [once()])).find((one) => one !== null);
      if (made) outs.push({ owner, units: each.units, id: made.id, order: 'queued' });
      const may = ({ available }: Standing) =>
        !each.crash && !owner.isFrozen && available >= each.units + fee;
      return { happened: made !== undefined, may };
    }
    if ('cancel' in each) {
      const out = newest.outs[each.cancel];
      if (!out) return null;
      const by = each.by === null ? out.owner : walletAt(each.by);
      const isOpen = out.order === 'queued';
      const ended = await write(each.crash, (tx) => cancelWithdrawal(tx, deps, by.id, out.id));
      if (ended) out.order = 'ended';
      return { happened: ended !== null, may: () => !each.crash && isOpen && by === out.owner };
    }
    if ('report' in each) {
      const out = newest.outs[each.report];
      const order = out && nextOrder[out.order]?.[each.state];
      if (!out || order === undefined) return null;
      const note = { transaction: '0x1', why: null, at: clock.now() };
      const report = { rail: 'modelled', id: out.id, state: each.state, ...note };
      const reports = each.twice ? [report, report] : [report];
      const taken = await write(each.crash, (tx) => takeSendReports(tx, deps, reports));
      const whole = out.units + fee;
      if (taken && order === 'sent' && out.order !== 'sent') out.owner.net -= whole;
      if (taken && order !== 'sent' && out.order === 'sent') out.owner.net += whole;
      if (taken) out.order = order;
      return { happened: taken !== null, may: () => !each.crash };
    }
    if ('fund' in each) {
      const owner = walletAt(each.fund);
      const payer = { integrationId, integrationName: 'Nib & Folio', mode: 'live' } as const;
      const asked = {
        ...payer,
        username: owner.name,
        asset: asset.code,
        units: each.units,
        uses: [],
        key: null,
        response: 'funded',
      };
      const isFunded = await backend.fund(asked).then(
        () => true,
        (error: unknown) => (error instanceof Refusal ? false : Promise.reject(error)),
      );
      if (isFunded) owner.net += each.units;
      if (isFunded) businessNet -= each.units;
      return { happened: isFunded };
    }
    const owner = walletAt(each.freeze);
    owner.isFrozen = !owner.isFrozen;
    const at = owner.isFrozen ? clock.now() : null;
    await db.query('UPDATE users SET frozen_at = $2, frozen_why = $3 WHERE id = $1', [
      owner.id,
      at,
      at && 'x',
    ]);
    return { happened: true };
  }

  /** A deposit becomes final, or its chain takes it back. */
  async function turn(arrived: Arrived, { twice: again, crash: crashes }: TurnOf, isNew: () => void) {
    const { owner, units, ledgerId } = arrived;
    const state = arrived.isFinal ? ('gone' as const) : ('final' as const);
    const arrival = {
      ...{ rail: 'evm:8453', key: ledgerId, ledgerId, owner: { kind: 'user', id: owner.id } as const },
      ...{ transaction: '0x2', asset: asset.code, units, sender: null, state, at: clock.now() },
    };
    const once = () =>
      write(crashes, (tx) => bookDeposit(tx, arrival, { mode: 'live', now: clock.now() }).then(() => true));
    const [taken] = await Promise.all(again ? [once(), once()] : [once()]);
    if (taken) owner.net += arrived.isFinal ? -units : units;
    if (taken) arrived.isFinal = !arrived.isFinal;
    if (taken) isNew();
    return { happened: taken === true, may: () => !crashes };
  }

  for (const steps of groups) {
    clock.advance(1);
    newest = { outs: outs.toReversed(), arrivals: arrivals.toReversed() };
    const distinct = steps.filter(
      (each, at) => steps.findIndex((other) => thing(other) === thing(each)) === at,
    );
    const [only] = distinct;
    if (distinct.length === 1 && only) {
      const before = await standing(walletAt(actorOf(only)));
      const made = await make(only);
      if (made?.may) expect({ only, happened: made.happened }).toEqual({ only, happened: made.may(before) });
    } else await Promise.all(distinct.map(make));

    for (const wallet of wallets) {
      const { available, held, owed } = await standing(wallet);
      expect(available + held - owed).toBe(wallet.net);
      expect(held).toBe(heldFor(wallet));
      // Who owes something has nothing left but what is held.
      expect(owed > 0n ? available : 0n).toBe(0n);
    }
  }

  const seen = new Set<bigint>();
  for (const wallet of wallets) {
    const holder = { kind: 'user', owner: wallet.id, mode: 'live' } as const;
    const lines = await linesOf(db, holder, {}, { beforeSeq: null, limit: 500 });
    const debts = await linesOf(db, { ...holder, kind: 'receivable' }, {}, { beforeSeq: null, limit: 500 });
    const sum = [...lines, ...debts].reduce((total, { units }) => total + units, 0n);
    expect(sum).toBe(wallet.net);
    // No line is in two wallets, and what is behind one names its user.
    for (const { seq } of [...lines, ...debts]) expect(seen.has(seq)).toBe(false);
    for (const { seq } of [...lines, ...debts]) seen.add(seq);
    const causes = lines.flatMap(({ cause_id }) => cause_id ?? []);
    for (const { sender, receiver } of (await sendsById(db, causes)).values())
      expect([sender, receiver]).toContain(wallet.name);
    const deposited = await depositsById(db, causes);
    const foreignDeposits = arrivals.filter(({ owner }) => owner !== wallet);
    expect(foreignDeposits.filter(({ ledgerId }) => deposited.has(ledgerId))).toEqual([]);
    const own = outs.filter(({ owner }) => owner === wallet).map(({ id }) => id);
    const listed = await listWithdrawals(db, wallet.id, 'live', { before: null, limit: 500 });
    expect(listed.map(({ id }) => id).sort()).toEqual(own.sort());
    const foreign = outs.find(({ owner }) => owner !== wallet);
    if (foreign) {
      const tried = transaction(db, (tx) => cancelWithdrawal(tx, deps, wallet.id, foreign.id));
      await expect(tried).rejects.toMatchObject({ row: payoutErrors.payout_not_found });
    }
  }
  const [left] = await balancesOf(db, business);
  expect(left?.available).toBe(businessNet);

  function heldFor(wallet: Wallet): bigint {
    const open = outs.filter(({ owner, order }) => owner === wallet && ['queued', 'signed'].includes(order));
    return open.reduce((sum, { units }) => sum + units + fee, 0n);
  }
}

test("no interleaving makes or loses a unit, and nobody reaches what is another's", {
  timeout: timeLimitMs,
}, async () => {
  const terms = { fee, minimum: 0n, dailyLimit: null, approveAbove: null };
  await transaction(db, (tx) => setPayoutTerms(tx, 'usdc-base', terms, new Date()));
  await fc.assert(fc.asyncProperty(schedules, play), { numRuns: runs, endOnFailure: true });
  expect(await auditFindings(db)).toEqual([]);
});
