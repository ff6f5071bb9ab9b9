import { describe, expect, test } from 'vitest';
import { type Desk, openDesk, openPlatform, outside } from '../../../../test/pi/send-fixtures.ts';
import { expireLeases, testDatabase } from '../../../../test/support/database.ts';
import { Killed, mortal, type Outcome } from '../../../../test/support/mortal.ts';
import { transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import type { SendPlatform } from './deps.ts';
import { orderSend } from './order.ts';
import { cancelSend } from './record.ts';

const { db } = await testDatabase();

// Who dies after an exchange leaves what one leaves who dies at the next. So every second one of both is every state
// that can be left: these each time, all in a soak.
const stride = process.env.SOAK ? 1 : 2;

/** Others take over, and all that was ordered is brought to its end. */
async function finish(desk: Desk, platform: SendPlatform | null): Promise<void> {
  await expireLeases(db);
  const sender = desk.sender({ platform });
  for (let round = 0; round < 3; round++) {
    await sender.tick();
    desk.pass(20);
    await desk.reader.tick();
  }
}

describe.each(['dies', 'dies after'] as const satisfies Outcome[])(
  'a process that %s any exchange',
  (how) => {
    test('has sent each order once when others have taken over', async () => {
      const desk = await openDesk(db);
      const ids: string[] = [];
      let isDead = true;
      let step = 1;
      for (; isDead; step += stride) {
        ids.push(await desk.order({ units: 1n, memo: `at ${step}` }));
        const life = mortal(db);
        life.interrupt(step, false, async () => how);
        await desk.sender(outside(life, desk.deps)).tick().catch(ignoreKilled);
        isDead = life.isDead();
        await finish(desk, null);
        const paid = (await desk.paid()).map(({ memo }) => memo);
        expect(paid).toEqual(ids.map((_, at) => `at ${at * stride + 1}`));
      }
      expect(step).toBeGreaterThan(20);
      expect(await desk.sentInOrder()).toEqual(ids);
      expect(desk.failures).toEqual([]);
    });

    test('has paid a user of the Pi Browser once', async () => {
      const desk = await openDesk(db);
      const { server, platform, user } = await openPlatform(desk);
      let isDead = true;
      let step = 1;
      let ordered = 0;
      for (; isDead; step += stride) {
        ordered += 1;
        desk.clock.advance(1);
        const order = { id: newId(desk.clock.now()), asset: 'pi', units: 1n, uid: user.uid };
        await transaction(db, (tx) => orderSend(tx, desk.pi, order, desk.clock.now()));
        const life = mortal(db);
        life.interrupt(step, false, async () => how);
        await desk
          .sender(outside(life, { ...desk.deps, platform }))
          .tick()
          .catch(ignoreKilled);
        isDead = life.isDead();
        await finish(desk, platform);
        expect(await desk.paid()).toHaveLength(ordered);
      }
      expect(step).toBeGreaterThan(20);
      const made = server.payments();
      expect(made).toHaveLength(ordered);
      for (const { status } of made) expect(status).toMatchObject({ developer_completed: true });
    });
  },
);

function ignoreKilled(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}

test('a process that another one overtakes at any exchange changes nothing of what that one signed', async () => {
  const desk = await openDesk(db);
  let isOvertaken = true;
  let step = 1;
  for (; isOvertaken; step += stride) {
    isOvertaken = false;
    const id = await desk.order({ units: 1n, memo: `past ${step}` });
    const life = mortal(db);
    life.interrupt(step, true, async () => {
      isOvertaken = true;
      await expireLeases(db);
      await desk.sender().tick();
      return 'lives';
    });
    await desk.sender(outside(life, desk.deps)).tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'signed', fault: null });
    expect(await transaction(db, (tx) => cancelSend(tx, id, desk.clock.now()))).toBe(false);
    await finish(desk, null);
    expect((await desk.paid()).filter(({ memo }) => memo === `past ${step}`)).toHaveLength(1);
  }
  expect(step).toBeGreaterThan(20);
  expect(desk.failures).toEqual([]);
});
