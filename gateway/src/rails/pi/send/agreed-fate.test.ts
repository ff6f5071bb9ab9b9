import { expect, test } from 'vitest';
import { type Horizon, patient, startHorizon } from '../../../../test/horizon/horizon.ts';
import { type Desk, envelopes, openDesk, senderFault } from '../../../../test/pi/send-fixtures.ts';
import { atFileEnd } from '../../../../test/suite/endings.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { createHorizons } from '../horizon/horizons.ts';
import { cancelSend } from './record.ts';

// Several Horizons show one network, and the preferred one lies about what became of a transaction.

const { db } = await testDatabase();
const lies = ['failed', 'void', 'applied'] as const;
const always = { times: Number.POSITIVE_INFINITY };

/** A desk whose sender asks as many Horizons, of which the first is `liar`. Nothing is in a ledger before `pass`. */
async function openDeskOf(count: number) {
  const desk = await openDesk(db, { closeMs: null, submitTimeoutMs: 20 });
  const others: Horizon[] = [];
  for (let at = 0; at < count; at++) {
    const other = await startHorizon({ core: desk.horizon.core, closeMs: null, submitTimeoutMs: 20 });
    atFileEnd(() => other.stop());
    others.push(other);
  }
  const [liar] = others;
  if (!liar) throw new Error('a desk has a Horizon');
  const horizonUrls = others.map(({ url }) => url);
  const nowMs = () => desk.clock.now().getTime();
  const horizons = createHorizons({
    pi: { ...desk.pi, horizonUrls },
    nowMs,
    ...patient,
  });
  atFileEnd(() => horizons.close());
  const id = await desk.order();
  const sender = desk.sender({ horizons });
  await sender.tick();
  const envelope = async () => (await envelopes(db)).find(({ send_id }) => send_id === id);
  const hash = (await envelope())?.hash ?? '';
  /** A round, when it is due again. */
  const tick = async (seconds = 61) => {
    desk.clock.advance(seconds);
    await sender.tick();
  };
  return { ...desk, id, hash, liar, others, tick, envelope };
}

/** Lets a Horizon say that this became of a transaction. */
function lie(liar: Horizon, of: (typeof lies)[number], hash: string, { clock, pi }: Desk): void {
  const page = /^\/transactions\/[0-9a-f]{64}$/;
  if (of === 'void') {
    const closed_at = new Date(clock.now().getTime() + 3_600_000).toISOString();
    liar.faults.add({ kind: 'stale', path: page, ledgers: 1_000, ...always });
    rewrite(liar, /^\/ledgers/, (body) => {
      const { _embedded } = body as { _embedded: { records: object[] } };
      return { _embedded: { records: _embedded.records.map((each) => ({ ...each, closed_at })) } };
    });
    // The number is free, as before ours was applied.
    rewrite(liar, new RegExp(`^/accounts/${pi.account}$`), (body) => ({
      ...(body as object),
      sequence: '1',
    }));
    return;
  }
  const shown = (body: unknown) => ({
    ...(body as object),
    ...{ hash, successful: of === 'applied', fee_charged: '100000' },
  });
  liar.faults.add({ kind: 'rewrite', path: page, status: 200, rewrite: shown, ...always });
  const result_codes = { transaction: 'tx_failed', operations: ['op_no_destination'] };
  const refused = { status: 400, title: 'Transaction Failed', extras: { result_codes } };
  liar.faults.add({ kind: 'rewrite', method: 'POST', status: 400, rewrite: () => refused, ...always });
}

const rewrite = (liar: Horizon, path: RegExp, how: (body: unknown) => unknown) =>
  liar.faults.add({ kind: 'rewrite', path, rewrite: how, ...always });

const cancel = (desk: Desk & { id: string }) =>
  transaction(db, (tx) => cancelSend(tx, desk.id, desk.clock.now()));

test.each(lies)('that one Horizon calls it %s ends nothing while another one does not', async (of) => {
  const desk = await openDeskOf(2);
  lie(desk.liar, of, desk.hash, desk);
  await desk.tick(5);
  expect(await desk.envelope()).toMatchObject({ state: 'open' });
  expect(await desk.standing(desk.id)).toMatchObject({ state: 'signed' });
  expect(await cancel(desk)).toBe(false);
  desk.pass(5);
  desk.liar.faults.clear();
  await desk.tick();
  await desk.reader.tick();
  expect(await desk.standing(desk.id)).toMatchObject({ state: 'settled' });
  expect([desk.failures, await desk.paid()]).toMatchObject([[], [{ memo: 'R1' }]]);
});

test('what its Horizons say is shown to operators where they differ when its time is long over', async () => {
  const desk = await openDeskOf(2);
  desk.pass(5);
  lie(desk.liar, 'void', desk.hash, desk);
  desk.pass(300);
  await desk.tick();
  expect(await desk.envelope()).toMatchObject({ state: 'open' });
  expect(await senderFault(db, desk.pi)).toMatch(
    /^Transaction \w+ is waited for: its Horizons do not agree: .* says void, .* says applied$/,
  );
});

test.each(['failed', 'void'] as const)('two Horizons of three outvote one that calls it %s', async (of) => {
  const desk = await openDeskOf(3);
  desk.pass(5);
  lie(desk.liar, of, desk.hash, desk);
  await desk.tick();
  expect(await desk.envelope()).toMatchObject({ state: 'applied' });
});

test('one Horizon is enough when no other one has answered for two minutes', async () => {
  const desk = await openDeskOf(2);
  desk.pass(5);
  desk.others[1]!.faults.add({ kind: 'error', ...always });
  await desk.tick();
  expect(await desk.envelope()).toMatchObject({ state: 'open' });
  expect(await senderFault(db, desk.pi)).toContain('no other Horizon answers');
  await desk.tick(121);
  expect(await desk.envelope()).toMatchObject({ state: 'applied' });
  expect(await senderFault(db, desk.pi)).toBe(null);
});

test('what another Horizon is about to show is waited for, without a word', async () => {
  const desk = await openDeskOf(2);
  desk.pass(5);
  desk.others[1]!.lagLedgers = 1;
  await desk.tick(5);
  expect([await desk.envelope(), await senderFault(db, desk.pi)]).toMatchObject([{ state: 'open' }, null]);
  desk.pass(5);
  await desk.tick(5);
  expect(await desk.envelope()).toMatchObject({ state: 'applied' });
});
