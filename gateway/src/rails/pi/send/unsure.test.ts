import { Operation, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { describe, expect, test } from 'vitest';
import { coin, type Desk, envelopes, openDesk, senderFault } from '../../../../test/pi/send-fixtures.ts';
import { expireLeases, testDatabase } from '../../../../test/support/database.ts';

const { db } = await testDatabase();

const ofDesk = async (desk: Desk) =>
  (await envelopes(db)).filter(({ send_id }) => desk.ids.includes(send_id));

/** Nothing is in a ledger before `pass`. */
const openSlowDesk = () => openDesk(db, { closeMs: null, submitTimeoutMs: 20 });

const submits = ({ horizon }: Desk): number =>
  horizon.requests.filter((request) => request === 'POST /transactions').length;

describe('without an answer', () => {
  test('an envelope that arrived is found by its hash, and nothing else is sent', async () => {
    const desk = await openSlowDesk();
    const id = await desk.order();
    const sender = desk.sender();
    await sender.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'signed' });
    desk.pass(5);
    await sender.tick();
    await desk.reader.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
    expect(await ofDesk(desk)).toMatchObject([{ state: 'applied' }]);
    expect(await desk.paid()).toHaveLength(1);
  });

  test.each(['timeout', 'lost', 'reset', 'truncated', 'html', 'error', 'rate_limited'] as const)(
    'of the kind "%s" the same bytes are handed in again',
    async (kind) => {
      const desk = await openDesk(db);
      const id = await desk.order();
      desk.horizon.faults.add({
        kind,
        method: 'POST',
        ...(kind === 'rate_limited' && { retryAfterSeconds: 10 }),
      });
      const sender = desk.sender();
      for (let round = 0; round < 4; round++) {
        await sender.tick();
        desk.pass(12);
      }
      await desk.reader.tick();
      expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
      expect(await ofDesk(desk)).toMatchObject([{ state: 'applied' }]);
      expect(await desk.paid()).toHaveLength(1);
    },
  );

  test('an envelope that never arrived is replaced when its time is over, and not before', async () => {
    const desk = await openDesk(db);
    const id = await desk.order();
    desk.horizon.faults.add({ kind: 'timeout', method: 'POST', times: Number.POSITIVE_INFINITY });
    const sender = desk.sender();
    for (let round = 0; round < 18; round++) {
      await sender.tick();
      expect(await ofDesk(desk)).toMatchObject([{ state: 'open' }]);
      desk.pass(5);
    }
    desk.horizon.faults.clear();
    desk.pass(5);
    await sender.tick();
    // The time of the first one has just passed: a Horizon of several machines may still be about to show it.
    expect(await ofDesk(desk)).toMatchObject([{ state: 'open' }]);
    expect(await senderFault(db, desk.pi)).toBe(null);
    desk.pass(20);
    await sender.tick();
    expect(await ofDesk(desk)).toMatchObject([{ state: 'void' }]);
    desk.pass(15);
    await sender.tick();
    await desk.reader.tick();
    const [first, second, ...more] = await ofDesk(desk);
    expect([second, more]).toMatchObject([{ state: 'applied', sequence: first!.sequence }, []]);
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
    expect(await desk.paid()).toHaveLength(1);
  });

  test('nothing is concluded while the ledgers stand still, however much time goes by', async () => {
    const desk = await openSlowDesk();
    await desk.order();
    const sender = desk.sender();
    await sender.tick();
    desk.clock.advance(7200);
    await sender.tick();
    expect(await ofDesk(desk)).toMatchObject([{ state: 'open' }]);
  });

  test('nothing is concluded by a Horizon that is behind', async () => {
    const desk = await openSlowDesk();
    const id = await desk.order();
    const sender = desk.sender();
    await sender.tick();
    desk.pass(5);
    for (let ledgers = 0; ledgers < 10; ledgers++) desk.pass(60);
    desk.horizon.lagLedgers = 11;
    await sender.tick();
    expect(await ofDesk(desk)).toMatchObject([{ state: 'open' }]);
    desk.horizon.lagLedgers = 0;
    await sender.tick();
    await desk.reader.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
    expect(await desk.paid()).toHaveLength(1);
  });
});

describe('a sequence number that another program used', () => {
  test('is known by its transaction, and the order gets the next one', async () => {
    const desk = await openSlowDesk();
    const id = await desk.order();
    const sender = desk.sender();
    desk.horizon.faults.add({ kind: 'timeout', method: 'POST', times: 2 });
    await sender.tick();
    // The same number, by hand, and in a ledger before ours was handed in.
    desk.horizon.pay({ from: desk.custody, to: desk.customer.publicKey(), amount: coin, memo: 'by hand' });
    desk.horizon.faults.clear();
    desk.clock.advance(5);
    await sender.tick();
    expect(await ofDesk(desk)).toMatchObject([{ state: 'open', said: 'tx_bad_seq' }]);
    desk.pass(120);
    await sender.tick();
    desk.pass(10);
    await sender.tick();
    desk.pass(5);
    await sender.tick();
    await desk.reader.tick();
    const [first, second] = await ofDesk(desk);
    expect(first).toMatchObject({ state: 'void' });
    expect(second).toMatchObject({ state: 'applied', sequence: first!.sequence + 1n });
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
    expect((await desk.paid()).map(({ memo }) => memo)).toEqual(['by hand', 'R1']);
  });

  test('by nothing that Horizon shows is waited for, as long as it takes: it may have been ours', async () => {
    const desk = await openSlowDesk();
    const id = await desk.order();
    const sender = desk.sender();
    await sender.tick();
    desk.pass(5);
    // Its accounts are up to date, and a part of its history is lost.
    desk.horizon.faults.add({
      kind: 'stale',
      path: /transactions/,
      ledgers: 1_000,
      times: Number.POSITIVE_INFINITY,
    });
    for (let hour = 0; hour < 5; hour++) {
      desk.pass(3600);
      await sender.tick();
      expect(await ofDesk(desk)).toMatchObject([{ state: 'open' }]);
    }
    expect(await senderFault(db, desk.pi)).toContain('does not show by what');
    desk.horizon.faults.clear();
    desk.pass(3600);
    await sender.tick();
    await desk.reader.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
    expect(await desk.paid()).toHaveLength(1);
  });

  test('by nothing, because the account jumped over it, is known by that', async () => {
    const desk = await openSlowDesk();
    const id = await desk.order();
    const sender = desk.sender({
      signer: {
        ...desk.deps.signer,
        sign: async (envelope, passphrase) => {
          const { sequence } = TransactionBuilder.fromXDR(envelope, passphrase) as Transaction;
          const bumpTo = (BigInt(sequence) + 100n).toString();
          // By hand, with the number that ours was to use, and one that nobody uses.
          desk.horizon.transact({ from: desk.custody, operations: [Operation.bumpSequence({ bumpTo })] });
          return await desk.deps.signer.sign(envelope, passphrase);
        },
      },
    });
    await sender.tick();
    const [{ hash } = { hash: '' }] = await ofDesk(desk);
    await db.query('UPDATE pi_envelopes SET sequence = sequence + 1 WHERE hash = $1', [hash]);
    desk.pass(150);
    await sender.tick();
    expect(await ofDesk(desk)).toMatchObject([{ state: 'void' }]);
    for (let round = 0; round < 4; round++) {
      desk.pass(15);
      await desk.sender().tick();
    }
    await desk.reader.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
    expect(await desk.paid()).toHaveLength(1);
  });
});

describe('a transaction that failed in a ledger', () => {
  test('ends the order where no later one could go better', async () => {
    const desk = await openSlowDesk();
    const id = await desk.order();
    const merge = Operation.accountMerge({ destination: desk.horizon.root.publicKey() });
    desk.horizon.transact({ from: desk.customer, operations: [merge], close: false });
    const sender = desk.sender();
    await sender.tick();
    desk.pass(5);
    await sender.tick();
    expect(await ofDesk(desk)).toMatchObject([{ state: 'failed', said: 'tx_failed op_no_destination' }]);
    expect(desk.failures).toEqual([{ id, why: 'The account that it was to go to does not exist' }]);
    await desk.reader.tick();
    expect(desk.outflows).toMatchObject([{ sendId: null, units: 0n, fee: 100_000n }]);
  });

  test('leaves the order to be sent later where it was about the balance', async () => {
    const desk = await openSlowDesk();
    const id = await desk.order({ units: 600n * coin });
    const rival = { from: desk.custody, to: desk.customer.publicKey(), amount: 500n * coin };
    desk.horizon.pay({ ...rival, close: false });
    const sender = desk.sender({
      signer: {
        ...desk.deps.signer,
        sign: async (envelope, passphrase) => {
          desk.horizon.close();
          return await desk.deps.signer.sign(envelope, passphrase);
        },
      },
    });
    await sender.tick();
    desk.pass(5);
    await sender.tick();
    desk.pass(200);
    await sender.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'queued' });
    desk.horizon.fund(desk.pi.account, 1000n * coin);
    for (let round = 0; round < 6; round++) {
      desk.pass(60);
      await sender.tick();
    }
    await desk.reader.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
    expect((await desk.paid()).filter(({ amount }) => amount === '600.0000000')).toHaveLength(1);
  });
});

test('a fee that rises is met by the next envelope, and by no second one at once', async () => {
  const desk = await openSlowDesk();
  const id = await desk.order();
  const sender = desk.sender({
    signer: {
      ...desk.deps.signer,
      sign: async (envelope, passphrase) => {
        desk.horizon.core.baseFee = 150_000n;
        return await desk.deps.signer.sign(envelope, passphrase);
      },
    },
  });
  await sender.tick();
  expect(await ofDesk(desk)).toMatchObject([{ state: 'open', said: 'tx_insufficient_fee' }]);
  for (let round = 0; round < 10; round++) {
    desk.pass(20);
    await sender.tick();
  }
  await desk.reader.tick();
  expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
  expect(await ofDesk(desk)).toMatchObject([
    { state: 'void', max_fee: 100_000n },
    { state: 'applied', max_fee: 200_000n },
  ]);
  expect(desk.outflows).toMatchObject([{ fee: 150_000n }]);
});

test('two processes send each order once', async () => {
  const desk = await openDesk(db);
  for (let count = 0; count < 6; count++) await desk.order({ memo: `R${count}` });
  const senders = [desk.sender(), desk.sender(), desk.sender()];
  for (let round = 0; round < 3; round++) await Promise.all(senders.map((sender) => sender.tick()));
  await desk.reader.tick();
  expect((await desk.paid()).map(({ memo }) => memo).sort()).toEqual(['R0', 'R1', 'R2', 'R3', 'R4', 'R5']);
  expect(submits(desk)).toBe(6);
});

test('a process that lost the sender lock while it signed submits nothing', async () => {
  const desk = await openDesk(db);
  await desk.order();
  const slow = desk.sender({
    signer: {
      ...desk.deps.signer,
      sign: async (envelope, passphrase) => {
        await expireLeases(db);
        await desk.sender().tick();
        return await desk.deps.signer.sign(envelope, passphrase);
      },
    },
  });
  await slow.tick();
  expect(await desk.paid()).toHaveLength(1);
  expect(await ofDesk(desk)).toHaveLength(1);
  expect(submits(desk)).toBe(1);
});
