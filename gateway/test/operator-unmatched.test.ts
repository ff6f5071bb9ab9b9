import { describe, expect, test } from 'vitest';
import { after } from '../src/kit/clock.ts';
import { transaction } from '../src/kit/db/db.ts';
import { newId } from '../src/kit/ids.ts';
import type { UnmatchedDeposit } from '../src/rails/rail.ts';
import { bookMove, unorderedMove } from '../src/treasury/moves.ts';
import { claimOf, createLivePi, depositArrives, paidFrom } from './browser/dashboard-unmatched.ts';
import { openConsole } from './support/console.ts';
import { operatorDesk, root } from './support/operator.ts';
import { startApp } from './support/running.ts';

const app = await startApp({ seed: { name: 'Nib & Folio', approved: true } });
const people = await openConsole(app);
const desk = await operatorDesk(people);

const create = (amount: number) => createLivePi(app, amount);
const arrive = (units: bigint, memo: string | null) => depositArrives(app, units, memo);

type Line = { id: string; amount: string; state: string; claims: number; memo: string | null };
type Match = { reference: string; because: string[]; amount_due: string; is_later: boolean };

/** Somebody with the key moves money out of the account. */
const takeOut = (units: bigint) =>
  transaction(app.db, (tx) => {
    const ids = { key: newId(), ledgerId: newId(), feeLedgerId: newId(), transaction: newId() };
    const outflow = {
      ...ids,
      rail: 'pi',
      asset: 'pi',
      units,
      fee: 0n,
      sendId: null,
      to: 'G',
      at: new Date(),
    };
    return bookMove(tx, unorderedMove(outflow), { mode: 'live', now: new Date() });
  });

const list = async (query = '') =>
  (await desk.get(`/strays${query}`)) as unknown as {
    items: Line[];
    next_cursor: string | null;
  };
const matches = async ({ ledgerId }: UnmatchedDeposit) =>
  (await desk.get(`/strays/${ledgerId}/matches`)).items as unknown as Match[];
const decide = async ({ ledgerId }: UnmatchedDeposit, how: 'assign' | 'keep', body: object) =>
  await desk.call<{ payment_status: string }>('POST', `${root}/strays/${ledgerId}/${how}`, { body });

describe('an unmatched deposit', () => {
  test('is listed newest first, page by page, until somebody decides', async () => {
    expect(await list()).toEqual({ items: [], next_cursor: null });
    const [old, young] = [await arrive(70_000_000n, null), await arrive(80_000_000n, 'thanks')];
    const first = await list('?limit=1');
    expect(first.items).toMatchObject([
      { id: young.ledgerId, amount: '8', memo: 'thanks', state: 'open', claims: 0 },
    ]);
    const second = await list(`?limit=1&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ items: [{ id: old.ledgerId, memo: null }], next_cursor: null });
    expect((await list('?state=decided')).items).toEqual([]);
    expect((await desk.call('GET', `${root}/strays?state=odd`)).status).toBe(400);
  });

  test('is matched to payments by claim, similar memo and equal amount, in this order', async () => {
    const [claims, near, wants, neither] = [
      await create(40),
      await create(50),
      await create(30),
      await create(70),
    ];
    const deposit = await arrive(300_000_000n, `${near.memo.slice(0, 4)}${near.memo.slice(5)}`);
    await claimOf(app, claims.id, deposit);
    const found = await matches(deposit);
    expect(found).toMatchObject([
      { reference: claims.reference, because: ['claim'], amount_due: '40' },
      { reference: near.reference, because: ['memo'] },
      { reference: wants.reference, because: ['amount'] },
    ]);
    expect(found.map(({ reference }) => reference)).not.toContain(neither.reference);
    expect((await list()).items.find(({ id }) => id === deposit.ledgerId)).toMatchObject({ claims: 1 });
    expect((await desk.call('GET', `${root}/strays/${newId()}/matches`)).status).toBe(404);
  });

  test('is assigned by an operator, who says why, and the log says so', async () => {
    const payment = await create(25);
    const deposit = await arrive(250_000_000n, null);
    const body = { payment_reference: payment.reference, reason: 'The customer sent a receipt' };
    const answer = await decide(deposit, 'assign', body);
    expect(answer.body.data).toEqual({ reference: payment.reference, payment_status: 'completed' });
    expect(await desk.lastChange()).toMatchObject({
      action: 'assigned money that named no payment',
      subject: { kind: 'payment', id: payment.id },
      after: { amount: '25', asset: 'pi', words: body.reason, payment_status: 'completed' },
    });
    expect((await list()).items.map(({ id }) => id)).not.toContain(deposit.ledgerId);
    expect((await list('?state=decided')).items[0]).toMatchObject({
      ...{ id: deposit.ledgerId, state: 'assigned', decided_by: 'The operator', reason: body.reason },
      payment: { reference: payment.reference, status: 'completed', integration_name: 'Nib & Folio' },
    });
    expect((await decide(deposit, 'assign', body)).status).toBe(200);
    const other = { ...body, payment_reference: (await create(25)).reference };
    expect((await decide(deposit, 'assign', other)).body.error).toBe('stray_decided');
  });

  test('is not assigned without a reason, nor to a payment that does not exist', async () => {
    const deposit = await arrive(10_000_000n, null);
    const payment_reference = 'no-such-payment';
    for (const body of [
      { payment_reference },
      { payment_reference, reason: ' ' },
      { payment_reference, reason: 'x' },
    ]) {
      const { status, body: answer } = await decide(deposit, 'assign', body);
      expect([status, answer.error]).toEqual([400, 'field_invalid']);
    }
    expect((await list()).items[0]).toMatchObject({ id: deposit.ledgerId, state: 'open' });
  });

  test('may be the operator’s own, and is shown as such on its account until as much is taken out', async () => {
    expect((await desk.get('/holdings')).items).toMatchObject([
      { on_addresses: '71', own_on_addresses: '0', in_treasury: '0' },
    ]);
    const deposit = await arrive(30_000_000n, 'for fees');
    expect((await decide(deposit, 'keep', { reason: 'For the fees of sending' })).status).toBe(200);
    expect(await desk.lastChange()).toMatchObject({ action: "noted that money is the operator's own" });
    expect((await decide(deposit, 'keep', { reason: 'Again' })).body.error).toBe('stray_decided');
    expect((await desk.get('/holdings')).items).toMatchObject([
      {
        ...{ rail: 'pi', asset: 'pi', currency: 'PI' },
        ...{ on_addresses: '74', own_on_addresses: '3', in_treasury: '0' },
      },
    ]);
    await takeOut(50_000_000n);
    expect((await desk.get('/holdings')).items).toMatchObject([
      { on_addresses: '69', own_on_addresses: '0', in_treasury: '2' },
    ]);
  });

  test('is in the totals, which sum to zero, and breaks no page of integrations', async () => {
    const { items } = await desk.get('/totals');
    for (const { sum } of items) expect(sum).toBe('0');
    expect((await desk.get('/suspense')).items).toEqual([]);
    expect((await desk.get('/receivables')).items).toEqual([]);
    const owner = await people.as('owner');
    expect((await owner('GET', `${people.live}/statements`)).status).toBe(200);
  });

  test('is matched only to payments that existed when it arrived, unless their customer claims it', async () => {
    const [late, claimer] = [await create(91), await create(91)];
    const deposit = await depositArrives(app, 910_000_000n, late.memo.slice(0, 9), after(new Date(), -60));
    await claimOf(app, claimer.id, deposit);
    expect(await matches(deposit)).toMatchObject([
      { reference: claimer.reference, because: ['claim'], is_later: true },
    ]);
  });

  test('is matched first to payments with the nearest amount, and of these to the newest', async () => {
    const payments = [await create(80), await create(80.4), await create(80), await create(80.2)];
    const found = await matches(await arrive(800_000_000n, null));
    expect(found.map(({ reference }) => reference)).toEqual(
      [2, 0, 3, 1].map((at) => payments[at]!.reference),
    );
  });

  test('is matched best to a claim from the same account, which is shown as a proof', async () => {
    const [first, payer] = [await create(60), await create(61)];
    const deposit = await arrive(5_000_000n, null);
    for (const { id } of [first, payer]) await claimOf(app, id, deposit);
    await paidFrom(app, payer.id, deposit.sender!);
    expect(await matches(deposit)).toMatchObject([
      {
        ...{ reference: payer.reference, because: ['claim', 'account'], claimed_at: expect.any(String) },
        proof: { asset: 'pi', amount: '0.0000001', arrived_at: expect.any(String), other_payments: 0 },
      },
      { reference: first.reference, because: ['claim'], proof: null },
    ]);
    const line = (await list()).items.find(({ id }) => id === deposit.ledgerId);
    expect(line).toMatchObject({ claims: 2, proofs: 1 });
  });
});
