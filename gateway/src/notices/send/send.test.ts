import { expect, test } from 'vitest';
import { seedPerson } from '../../../test/notices/person.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { noHints, testClock, testSeal } from '../../../test/support/fixtures.ts';
import { outbox } from '../../../test/support/mailbox.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createAssets } from '../../money/assets.ts';
import { writeChoices } from '../choices.ts';
import { followChoices } from '../follow.ts';
import { createSendNotice } from './send.ts';

const { db } = await testDatabase();
const clock = testClock();
const deps = { db, hints: noHints, seal: testSeal, now: clock.now, assets: createAssets() };
const send = createSendNotice({
  ...{ ...deps, dashboardUrl: 'https://pay.example/app/', bot: null },
  push: {
    ...{ sender: { send: () => Promise.reject(new Error('nothing is pushed')), close: async () => {} } },
    ...{ seal: testSeal, vapid: () => Promise.reject(new Error('nothing is pushed')) },
    ...{ subject: 'mailto:ops@example.com', allowPrivate: false },
  },
});

/** A person who is told of payments by mail, and what became of the notice of one. */
async function tell(change: string): Promise<{ outcome: unknown; mails: number }> {
  const { accountId, email, owner } = await seedPerson(db);
  const choices = { mail: ['paid' as const], day: [], telegram: [], push: [] };
  await transaction(db, async (tx) => {
    await writeChoices(tx, owner, accountId, choices);
    await followChoices(tx, deps, accountId, { now: clock.now() });
  });
  const { rows } = await db.query<{ id: string }>('SELECT id FROM webhook_endpoints WHERE account_id = $1', [
    accountId,
  ]);
  await db.query(change, [accountId]);
  const body = {
    ...{ event_type: 'payment_completed', payment_reference: 'order-1', amount: 25.5, currency: 'USDC' },
    ...{ payment_status: 'completed', integration_id: owner.integrationId, mode: 'live' },
    timestamp: clock.now().getTime() / 1000,
  };
  const delivery = {
    ...{ id: newId(), endpoint_id: rows[0]!.id, event_id: newId(), subject_id: null, attempts: 0 },
    ...{ sequence: 1, body: JSON.stringify(body), is_sample: false, due_ms: 0 },
  };
  const outcome = await send(delivery, 'mail');
  const mails = (await outbox(db)).filter(({ recipient }) => recipient === email);
  return { outcome, mails: mails.length };
}

test.each([
  [
    'whose address is not confirmed',
    'UPDATE accounts SET email_verified = false WHERE id = $1',
    'The e-mail address is not confirmed',
  ],
  [
    'who has left the team',
    'DELETE FROM members WHERE account_id = $1',
    'The person does not belong to the business any more',
  ],
])('a person %s is told nothing, and the notice is given up', async (_, change, error) => {
  expect(await tell(change)).toEqual({ outcome: { outcome: 'ended', error }, mails: 0 });
});

test('a person who belongs to the business, at an address of their own, is told', async () => {
  const told = await tell('SELECT $1::uuid');
  expect(told).toEqual({ outcome: { outcome: 'sent', durationMs: 0 }, mails: 1 });
});
