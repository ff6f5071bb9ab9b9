import { expect, test } from 'vitest';
import { seedPerson } from '../../../test/notices/person.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { testSeal } from '../../../test/support/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { addDevice, listDevices, removeDevice } from './devices.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
const [ada, eve] = [await seedPerson(db), await seedPerson(db)];

const add = ({ accountId }: { accountId: string }, name: string) => {
  const subscription = { endpoint: `https://push.example/${name}`, keys: { p256dh: 'p', auth: 'a' } };
  return transaction(db, (tx) =>
    addDevice(tx, testSeal, accountId, { subscription, label: 'Firefox on Linux', now }),
  );
};
const remove = ({ accountId }: { accountId: string }, id: string) =>
  transaction(db, (tx) => removeDevice(tx, accountId, id));
const devicesOf = async ({ accountId }: { accountId: string }) =>
  (await listDevices(db, accountId)).map(({ id }) => id);

test('a person forgets a device of their own, and no other one', async () => {
  const { id } = await add(ada, 'one');
  expect(await remove(eve, id)).toBe(false);
  expect(await devicesOf(ada)).toEqual([id]);
  expect(await remove(ada, id)).toBe(true);
  expect(await devicesOf(ada)).toEqual([]);
});

test('a browser tells the person alone who allowed it last', async () => {
  const { formerOwner } = await add(ada, 'shared');
  const { id, formerOwner: former } = await add(eve, 'shared');
  expect([formerOwner, former]).toEqual([null, ada.accountId]);
  expect([await devicesOf(ada), await devicesOf(eve)]).toEqual([[], [id]]);
});

test('a person has ten devices at most', async () => {
  const person = await seedPerson(db);
  for (let made = 0; made < 10; made += 1) await add(person, `many ${made}`);
  await expect(add(person, 'eleventh')).rejects.toMatchObject({ row: { slug: 'device_limit' } });
  expect(await devicesOf(person)).toHaveLength(10);
});
