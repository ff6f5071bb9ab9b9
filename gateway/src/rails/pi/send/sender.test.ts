import { Account, Keypair, MuxedAccount } from '@stellar/stellar-sdk/base';
import { describe, expect, test } from 'vitest';
import { coin, envelopes, openDesk, senderFault } from '../../../../test/pi/send-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { sendFaults } from './health.ts';
import { cancelSend } from './record.ts';

const { db } = await testDatabase();

describe('an order', () => {
  test('is sent once, and settled by what the reader sees', async () => {
    const desk = await openDesk(db);
    const id = await desk.order();
    expect(await desk.standing(id)).toEqual({ state: 'queued', fault: null });
    const sender = desk.sender();
    await sender.tick();
    expect(await desk.standing(id)).toEqual({ state: 'signed', fault: null });
    expect(desk.outflows).toEqual([]);
    await desk.reader.tick();
    await sender.tick();
    expect(await desk.standing(id)).toEqual({ state: 'settled', fault: null });
    const to = desk.customer.publicKey();
    const [paid, ...more] = await desk.paid();
    expect([paid, more]).toMatchObject([{ to, amount: '2.0000000', memo: 'R1' }, []]);
    expect(desk.outflows).toMatchObject([
      { sendId: id, transaction: paid!.hash, units: 2n * coin, fee: 100_000n, to },
    ]);
    expect(await senderFault(db, desk.pi)).toBe(null);
    expect(desk.failures).toEqual([]);
  });

  test('that is like one that was sent is sent too', async () => {
    const desk = await openDesk(db);
    const [first, second] = [await desk.order(), await desk.order()];
    for (let round = 0; round < 3; round++) {
      await desk.sender().tick();
      await desk.reader.tick();
      desk.pass(15);
    }
    expect([await desk.standing(first), await desk.standing(second)]).toMatchObject([
      { state: 'settled' },
      { state: 'settled' },
    ]);
    expect(await desk.paid()).toHaveLength(2);
    expect(desk.failures).toEqual([]);
  });

  test('is taken back while nothing is signed, and then never sent', async () => {
    const desk = await openDesk(db);
    const [kept, dropped] = [await desk.order(), await desk.order()];
    expect(await transaction(db, (tx) => cancelSend(tx, dropped, new Date()))).toBe(true);
    expect(await transaction(db, (tx) => cancelSend(tx, dropped, new Date()))).toBe(false);
    const sender = desk.sender();
    await sender.tick();
    expect(await transaction(db, (tx) => cancelSend(tx, kept, new Date()))).toBe(false);
    await desk.reader.tick();
    await sender.tick();
    expect(desk.outflows).toMatchObject([{ sendId: kept }]);
    expect(desk.states).toEqual(['sending']);
  });

  test('is not signed while everything is stopped', async () => {
    const desk = await openDesk(db);
    await desk.order();
    const sender = desk.sender();
    desk.stop(true);
    await sender.tick();
    expect(await desk.paid()).toEqual([]);
    desk.stop(false);
    await sender.tick();
    expect(await desk.paid()).toHaveLength(1);
  });

  test('given twice is queued once, and with another content refused', async () => {
    const desk = await openDesk(db);
    const id = await desk.order();
    await desk.order({ id });
    for (const other of [{ units: 3n }, { to: desk.custody.publicKey() }, { memo: null }]) {
      await expect(desk.order({ id, ...other })).rejects.toThrow('another content');
    }
    for (let round = 0; round < 3; round++) await desk.sender().tick();
    expect(await desk.paid()).toHaveLength(1);
  });

  test.each([
    { to: 'GABC' },
    { units: 0n },
    { asset: 'usdc-erc20' },
    { memo: '' },
    { memo: 'fourteen characters é' + '€€€' },
  ])('that cannot be one is refused: %o', async (wrong) => {
    const desk = await openDesk(db);
    await expect(desk.order(wrong)).rejects.toThrow('Send');
  });

  test('goes to a part of an account, and without a memo', async () => {
    const desk = await openDesk(db);
    const to = new MuxedAccount(new Account(desk.customer.publicKey(), '0'), '77').accountId();
    const id = await desk.order({ to, memo: null });
    await desk.sender().tick();
    await desk.reader.tick();
    expect(desk.outflows).toMatchObject([{ sendId: id, to }]);
    expect(await desk.paid()).toMatchObject([{ memo: null }]);
  });

  test('waits for those before it, and each has a transaction of its own', async () => {
    const desk = await openDesk(db);
    const ids = [await desk.order(), await desk.order({ memo: 'R2' }), await desk.order({ memo: 'R3' })];
    await desk.sender().tick();
    await desk.reader.tick();
    expect(await desk.sentInOrder()).toEqual(ids);
    expect(new Set((await envelopes(db)).map(({ hash }) => hash)).size).toBeGreaterThanOrEqual(3);
  });

  test('of another network or account is left alone', async () => {
    const desk = await openDesk(db);
    const id = await desk.order();
    await db.query(`UPDATE pi_sends SET passphrase = 'Pi Network' WHERE id = $1`, [id]);
    await desk.sender().tick();
    expect(await desk.paid()).toEqual([]);
  });
});

describe('an order that can never be carried out', () => {
  test('fails when the account does not exist', async () => {
    const desk = await openDesk(db);
    const id = await desk.order({ to: Keypair.random().publicKey() });
    await desk.sender().tick();
    expect(desk.failures).toEqual([{ id, why: 'The account that it was to go to does not exist' }]);
    expect(await desk.standing(id)).toMatchObject({ state: 'failed' });
    expect(desk.balance()).toBe(1000n * coin);
  });
});

describe('an order that cannot be carried out now', () => {
  test('waits for money, lets others pass, and is sent when there is some', async () => {
    const desk = await openDesk(db);
    const large = await desk.order({ units: 1000n * coin });
    const small = await desk.order({ memo: 'small' });
    const sender = desk.sender();
    await sender.tick();
    await desk.reader.tick();
    expect(desk.outflows).toMatchObject([{ sendId: small }]);
    expect(await sendFaults(db, desk.pi)).toMatchObject([
      {
        code: 'not_sending',
        message: expect.stringContaining(
          '1 order waits: The custody account can send 999 PI of the 1000.01 PI',
        ),
      },
    ]);
    desk.horizon.fund(desk.custody.publicKey(), 100n * coin);
    desk.pass(20);
    await sender.tick();
    await desk.reader.tick();
    expect(await desk.sentInOrder()).toEqual([small, large]);
    expect(await sendFaults(db, desk.pi)).toEqual([]);
  });

  test('waits while the network asks for more than the most that is paid', async () => {
    const desk = await openDesk(db);
    await desk.order();
    desk.horizon.core.baseFee = 1_000_001n;
    desk.pass(5);
    const sender = desk.sender();
    await sender.tick();
    expect(await senderFault(db, desk.pi)).toContain('asks for a fee of 0.1000001 PI');
    expect(await desk.paid()).toEqual([]);
    desk.horizon.core.baseFee = 900_000n;
    desk.pass(5);
    await sender.tick();
    expect(await desk.paid()).toHaveLength(1);
    expect(await senderFault(db, desk.pi)).toBe(null);
  });

  test('waits until the account is read', async () => {
    const desk = await openDesk(db);
    await desk.order();
    await db.query('UPDATE pi_accounts SET cursor = NULL WHERE account = $1', [desk.pi.account]);
    await desk.sender().tick();
    expect(await senderFault(db, desk.pi)).toContain('not read yet');
    expect(await desk.paid()).toEqual([]);
  });

  test('waits for a Horizon that is behind', async () => {
    const desk = await openDesk(db);
    await desk.order();
    desk.clock.advance(90);
    const sender = desk.sender();
    await sender.tick();
    expect(await senderFault(db, desk.pi)).toContain('Horizon is behind');
    desk.pass(5);
    await sender.tick();
    expect(await desk.paid()).toHaveLength(1);
  });
});

test('what was the same already is not sent again', async () => {
  const desk = await openDesk(db);
  desk.pass(120);
  const plan = { from: desk.custody, to: desk.customer.publicKey(), amount: 2n * coin, memo: 'R1' };
  desk.horizon.pay(plan);
  desk.pass(120);
  const first = await desk.order({ id: newId() });
  await desk.sender().tick();
  // Older than the order: it was another one.
  expect(await desk.paid()).toHaveLength(2);
  const second = await desk.order();
  const hash = desk.horizon.pay(plan);
  await desk.sender().tick();
  expect(await desk.paid()).toHaveLength(3);
  expect(desk.failures).toMatchObject([{ id: second, why: expect.stringContaining(hash) }]);
  await desk.reader.tick();
  expect(await desk.standing(first)).toMatchObject({ state: 'settled' });
});
