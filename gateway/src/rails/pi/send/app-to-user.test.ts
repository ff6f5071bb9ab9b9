import { describe, expect, test } from 'vitest';
import { coin, type Desk, openDesk, openPlatform } from '../../../../test/pi/send-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { orderSend } from './order.ts';

const { db } = await testDatabase();

/** A desk beside a platform with one user, who has a wallet. */
async function openPlatformDesk(options: Parameters<typeof openDesk>[1] = {}) {
  const desk = await openDesk(db, options);
  const { server, platform, user } = await openPlatform(desk);

  async function orderFor(uid = user.uid, id: string = newId(desk.clock.now())): Promise<string> {
    const wanted = { id, asset: 'pi', units: 3n * coin, uid };
    await transaction(db, (tx) => orderSend(tx, desk.pi, wanted, desk.clock.now()));
    return id;
  }
  const userSender = () => desk.sender({ platform });
  return { ...desk, server, user, platform, orderFor, userSender };
}

async function rounds(
  desk: Pick<Desk, 'pass' | 'reader'>,
  sender: { tick(): Promise<void> },
  count: number,
): Promise<void> {
  for (let round = 0; round < count; round++) {
    await sender.tick();
    desk.pass(70);
    await desk.reader.tick();
  }
}

describe('an order to a user of the Pi Browser', () => {
  test('is made, sent with its identifier as memo, and completed', async () => {
    const desk = await openPlatformDesk();
    const id = await desk.orderFor();
    await rounds(desk, desk.userSender(), 1);
    const [payment, ...more] = desk.server.payments();
    expect(more).toEqual([]);
    expect(payment).toMatchObject({
      amount: 3,
      metadata: { send_id: id },
      status: { developer_completed: true },
    });
    const [paid] = await desk.paid();
    expect(paid).toMatchObject({ to: desk.user.wallet.publicKey(), memo: payment!.identifier });
    expect(payment!.transaction).toMatchObject({ txid: paid!.hash });
    expect(desk.outflows).toMatchObject([{ sendId: id }]);
  });

  test.each([
    ['create', /POST .*\/payments$/],
    ['complete', /complete$/],
  ])('is not made or sent twice when the answer to %s is lost', async (_, on) => {
    for (const shape of ['wrapped', 'bare'] as const) {
      const desk = await openPlatformDesk();
      desk.server.showListAs(shape);
      const id = await desk.orderFor();
      desk.server.faults.add({ on, afterEffect: true, times: 2 });
      await rounds(desk, desk.userSender(), 5);
      expect(desk.server.payments()).toMatchObject([{ status: { developer_completed: true } }]);
      expect(await desk.paid()).toHaveLength(1);
      expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
    }
  });

  test('waits while another payment to this user is open', async () => {
    const desk = await openPlatformDesk();
    const other = await desk.platform.create({
      ...{ amount: 1, memo: 'by hand', metadata: {}, uid: desk.user.uid },
    });
    const id = await desk.orderFor();
    const sender = desk.userSender();
    await rounds(desk, sender, 2);
    expect(await desk.standing(id)).toMatchObject({
      state: 'queued',
      fault: expect.stringContaining('ongoing_payment_found'),
    });
    expect(await desk.paid()).toEqual([]);
    await desk.platform.cancel(other.identifier);
    await rounds(desk, sender, 2);
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
  });

  test('is cancelled at the platform where it can never be carried out', async () => {
    const desk = await openPlatformDesk();
    const poor = desk.server.users.add({ username: 'bob' });
    const id = await desk.orderFor(poor.uid);
    await rounds(desk, desk.userSender(), 2);
    expect(desk.failures).toMatchObject([{ id }]);
    expect(desk.server.payments()).toMatchObject([{ status: { cancelled: true } }]);
  });

  test('is sent by what is noted alone, where another sender noted it meanwhile', async () => {
    const desk = await openPlatformDesk();
    const id = await desk.orderFor();
    const noted = { destination: desk.user.wallet.publicKey(), identifier: 'another payment' };
    const platform: typeof desk.platform = {
      ...desk.platform,
      async create(wanted) {
        const made = await desk.platform.create(wanted);
        await db.query('UPDATE pi_sends SET destination = $2, memo = $3, identifier = $3 WHERE id = $1', [
          id,
          noted.destination,
          noted.identifier,
        ]);
        return made;
      },
    };
    await desk.sender({ platform }).tick();
    const { rows } = await db.query('SELECT FROM pi_envelopes WHERE send_id = $1', [id]);
    expect(rows).toEqual([]);
    expect(await desk.paid()).toEqual([]);
  });

  test('waits where there is no platform', async () => {
    const desk = await openPlatformDesk();
    const id = await desk.orderFor();
    await desk.sender().tick();
    expect(await desk.standing(id)).toMatchObject({
      state: 'queued',
      fault: expect.stringContaining('server key'),
    });
    expect(desk.server.payments()).toEqual([]);
  });

  describe('that is on the network already, while the database was put back to when it was given', () => {
    async function forget(id: string): Promise<void> {
      await db.query('DELETE FROM pi_envelopes WHERE send_id = $1', [id]);
      await db.query(
        `UPDATE pi_sends SET state = 'queued', destination = NULL, memo = NULL, identifier = NULL, closed_at = NULL
         WHERE id = $1`,
        [id],
      );
    }

    test('is found by its identifier, and completed', async () => {
      const desk = await openPlatformDesk();
      const id = await desk.orderFor();
      desk.server.faults.add({ on: /complete$/, status: 500 });
      await desk.userSender().tick();
      await forget(id);
      await rounds(desk, desk.userSender(), 3);
      expect(await desk.paid()).toHaveLength(1);
      expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
      expect(desk.server.payments()).toMatchObject([{ status: { developer_completed: true } }]);
    });

    test('and reported by the reader without an order, is not settled by it', async () => {
      const desk = await openPlatformDesk();
      const id = await desk.orderFor();
      desk.server.faults.add({ on: /complete$/, status: 500 });
      await desk.userSender().tick();
      await forget(id);
      await desk.reader.tick();
      await rounds(desk, desk.userSender(), 3);
      expect(await desk.paid()).toHaveLength(1);
      expect(desk.outflows).toMatchObject([{ sendId: null }]);
      expect(desk.failures).toMatchObject([{ id, why: expect.stringContaining('booked without an order') }]);
      expect(desk.server.payments()).toMatchObject([{ status: { developer_completed: true } }]);
    });

    test('and was completed, so that the platform names it anew, is not sent again', async () => {
      const desk = await openPlatformDesk();
      const id = await desk.orderFor();
      await desk.userSender().tick();
      await forget(id);
      await rounds(desk, desk.userSender(), 3);
      const [paid, ...more] = await desk.paid();
      expect(more).toEqual([]);
      expect(desk.failures).toMatchObject([{ id, why: expect.stringContaining(paid!.hash) }]);
      expect(desk.server.payments()).toMatchObject([
        { status: { developer_completed: true } },
        { status: { cancelled: true } },
      ]);
    });
  });
});
