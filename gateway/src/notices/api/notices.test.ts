import { beforeEach, describe, expect, test } from 'vitest';
import { startPushDevice } from '../../../test/notices/push-service.ts';
import { nobody, openTeam } from '../../../test/notices/team.ts';
import { emptyTables } from '../../../test/support/database.ts';
import type { NoticeChoices, NoticePerson } from './answers.ts';

const team = await openTeam();
const waits = { timeout: 60_000 };

beforeEach(async () => {
  team.bot.said.length = 0;
  team.bot.refuse(null);
  await team.app.db.query('UPDATE webhook_endpoints SET deleted_at = now() WHERE account_id IS NOT NULL');
  await emptyTables(team.app.db, 'notice_choices, notice_devices, notice_codes, notice_people, emails');
});

/** Waits until nothing of the integration is due any more. */
async function allSent(): Promise<void> {
  const due =
    "SELECT count(*)::int AS n FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now()";
  await expect.poll(async () => (await team.app.db.query(due)).rows[0].n, waits).toBe(0);
}

async function choicesOf(person: 'owner' | 'read-only', mode: 'live' | 'test' = 'live') {
  const call = await team.people.as(person);
  return (await call<NoticeChoices>('GET', `${team.people[mode]}/notices`)).body.data;
}

async function myself(): Promise<NoticePerson> {
  const call = await team.people.as('owner');
  return (await call<NoticePerson>('GET', '/console/account/notices')).body.data;
}

async function allow(device: Awaited<ReturnType<typeof startPushDevice>>): Promise<void> {
  const call = await team.people.as('owner');
  const body = { label: 'Firefox on Linux', ...device.subscription };
  const { status, text } = await call('POST', '/console/account/notices/devices', { body });
  if (status !== 200) throw new Error(text);
}

describe('a person is told by mail', () => {
  test('of what they chose, of live payments alone, and each person for themselves', async () => {
    await team.choose('owner', { mail: ['paid'] });
    await team.choose('read-only', { mail: ['in_appeal'] });
    await team.pay();
    await team.pay({ mode: 'test' });
    await team.pay({ type: 'payment_failed' });
    await team.pay({ type: 'payment_in_appeal' });
    await allSent();
    const subjects = async (person: 'owner' | 'read-only') =>
      (await team.mailsTo(person)).map(({ subject }) => subject.replace(/^.*?: /, ''));
    expect(await subjects('owner')).toEqual(['Paid: 25.5 USDC']);
    expect(await subjects('read-only')).toEqual(['In appeal: 25.5 USDC']);
  });

  test('in the language of the page of their first choice, until they set another', async () => {
    const call = await team.people.as('owner');
    for (const language of ['de', 'fr'])
      await call('PUT', `${team.people.live}/notices`, { body: { ...nobody, mail: ['paid'], language } });
    await team.pay();
    await allSent();
    await call('PUT', '/console/account/notices', { body: { time_zone: 'UTC', hour: 8, language: 'zh' } });
    await team.pay();
    await allSent();
    const subjects = (await team.mailsTo('owner')).map(({ subject }) => subject.replace(/^.*?: /, ''));
    expect(subjects).toEqual(['Gezahlt: 25.5 USDC', '已付款：25.5 USDC']);
  });

  test('once, though an attempt whose outcome was lost is made again', async () => {
    await team.choose('owner', { mail: ['paid'] });
    await team.pay();
    await allSent();
    await team.app.db.query(
      `UPDATE deliveries d SET status = 'pending', attempts = 0, next_attempt_at = now()
       FROM webhook_endpoints w WHERE w.id = d.endpoint_id AND w.deleted_at IS NULL AND w.channel = 'mail'`,
    );
    await team.app.db.query('DELETE FROM delivery_attempts');
    await team.retry();
    await allSent();
    expect(await team.mailsTo('owner')).toHaveLength(1);
  });
});

describe('a person is told nothing any more', () => {
  test('of what is not sent yet, once they have left the team', async () => {
    await team.choose('support', { mail: ['paid'] });
    const account = team.people.accountId('support');
    const { rows } = await team.app.db.query('DELETE FROM members WHERE account_id = $1 RETURNING *', [
      account,
    ]);
    await team.pay();
    const told =
      'SELECT FROM deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id WHERE w.account_id = $1';
    expect((await team.app.db.query(told, [account])).rowCount).toBe(0);
    await team.app.db.query('INSERT INTO members SELECT * FROM json_populate_record(NULL::members, $1)', [
      JSON.stringify(rows[0]),
    ]);
    // Written while they belonged to the team, and sent when they do not.
    await team.app.db.query("UPDATE webhook_endpoints SET status = 'paused' WHERE account_id = $1", [
      account,
    ]);
    const endpoint = await team.app.db.query(
      `INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode)
       SELECT w.id, gen_random_uuid(), e.id, e.integration_id, e.mode FROM webhook_endpoints w, events e
       WHERE w.account_id = $1 AND w.deleted_at IS NULL AND e.type = 'payment_completed' LIMIT 1 RETURNING id`,
      [account],
    );
    await team.app.db.query('DELETE FROM members WHERE account_id = $1', [account]);
    await team.app.db.query("UPDATE webhook_endpoints SET status = 'active' WHERE account_id = $1", [
      account,
    ]);
    const error = async () =>
      (
        await team.app.db.query('SELECT error FROM delivery_attempts WHERE delivery_id = $1', [
          endpoint.rows[0].id,
        ])
      ).rows[0]?.error;
    await expect.poll(error, waits).toBe('The person does not belong to the business any more');
    const mails = await team.app.db.query("SELECT FROM emails WHERE kind = 'merchant_notice'");
    expect(mails.rowCount).toBe(0);
  });

  test('once they have closed their account, and nothing of them is kept', async () => {
    await team.choose('developer', { mail: ['paid'] });
    const call = await team.people.as('developer');
    const account = team.people.accountId('developer');
    const closed = await call('DELETE', '/console/account', { body: {} });
    expect(closed.status).toBe(200);
    const left = await team.app.db.query('SELECT FROM notice_choices WHERE account_id = $1', [account]);
    const open = await team.app.db.query(
      'SELECT FROM webhook_endpoints WHERE account_id = $1 AND deleted_at IS NULL',
      [account],
    );
    expect([left.rowCount, open.rowCount]).toEqual([0, 0]);
  });
});

describe('a person is told by Telegram', () => {
  beforeEach(async () => {
    await team.choose('owner', { telegram: ['paid'] });
    await team.link('owner', 7);
    await expect.poll(async () => (await myself()).telegram.linked?.name, waits).toBe('ada');
  });

  test('in the chat that a code linked, with a link that asks for a sign-in', async () => {
    await team.pay();
    await expect.poll(() => team.bot.said.length, waits).toBe(2);
    const { chat_id, text } = team.bot.said[1]!;
    expect(chat_id).toBe(7);
    expect(text).toMatch(/^Paid: 25\.5 USDC\norder-\d+\n/);
    expect(text).toContain(`${team.app.baseUrl}/app/i/${team.app.integrationId}/live/payments/order-`);
    expect((await choicesOf('owner')).telegram).toMatchObject({ is_on: true, last: { state: 'sent' } });
  });

  test('until they write /stop', async () => {
    team.bot.write(7, '/stop');
    await expect.poll(async () => (await myself()).telegram.linked, waits).toBeNull();
    await team.pay();
    await allSent();
    expect(team.bot.said.map(({ text }) => text).filter((text) => text.startsWith('Paid'))).toEqual([]);
  });

  test('until they block the bot, which unlinks the chat', async () => {
    team.bot.refuse({ status: 403, body: { description: 'Forbidden: bot was blocked by the user' } });
    await team.pay();
    await expect.poll(async () => (await myself()).telegram.linked, waits).toBeNull();
    expect((await choicesOf('owner')).telegram.is_on).toBe(false);
  });

  test('later, where Telegram asks to wait, and when it is down', async () => {
    const waiting = async () =>
      (
        await team.app.db.query(
          `SELECT round(extract(epoch FROM d.next_attempt_at - a.at))::int AS wait, a.error
           FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id
           WHERE d.status = 'pending' ORDER BY a.at DESC LIMIT 1`,
        )
      ).rows[0];
    team.bot.refuse({
      status: 429,
      body: { description: 'Too Many Requests', parameters: { retry_after: 1000 } },
    });
    await team.pay();
    await expect.poll(waiting, waits).toMatchObject({ error: 'Telegram: Too Many Requests' });
    expect((await waiting()).wait).toBeGreaterThanOrEqual(999);
    team.bot.refuse({ status: 500, body: {} });
    await team.pay();
    await expect.poll(async () => (await waiting()).wait, waits).toBeLessThan(100);
    expect((await choicesOf('owner')).telegram.last).toMatchObject({ state: 'waiting' });
    expect(team.app.log()).not.toContain(team.bot.token);
  });

  test('and a code is good once, and never for a group', async () => {
    const before = team.bot.said.length;
    const call = await team.people.as('owner');
    const code = async () =>
      (await call<{ code: string }>('POST', '/console/account/notices/telegram-code')).body.data.code;
    const first = await code();
    team.bot.write(-5, `/start ${first}`, 'group');
    team.bot.write(8, `/start ${first}`);
    await expect.poll(() => team.bot.said.length, waits).toBe(before + 1);
    team.bot.write(9, `/start ${first}`);
    await expect.poll(() => team.bot.said.length, waits).toBe(before + 2);
    expect(team.bot.said.at(-1)).toMatchObject({
      chat_id: 9,
      text: expect.stringContaining('not good any more'),
    });
    const { rows } = await team.app.db.query('SELECT telegram_chat::int AS chat FROM notice_people');
    expect(rows).toEqual([{ chat: 8 }]);
  });
});

describe('a person is told by web push', () => {
  test('on each device, encrypted for it, and with the page that it opens', async () => {
    const [one, two] = [await startPushDevice(), await startPushDevice()];
    await team.choose('owner', { push: ['paid'] });
    await allow(one);
    await allow(two);
    await team.pay();
    await expect.poll(() => one.pushed.length + two.pushed.length, waits).toBe(2);
    expect(one.pushed[0]).toMatchObject({
      ttl: '86400',
      message: {
        title: 'Paid: 25.5 USDC',
        path: expect.stringMatching(/^i\/[0-9a-f-]+\/live\/payments\/order-\d+$/),
      },
    });
  });

  test('until the push service says that the device is gone', async () => {
    const device = await startPushDevice();
    await allow(device);
    await team.choose('owner', { push: ['paid'] });
    device.answer(410);
    await team.pay();
    await expect.poll(async () => (await myself()).devices, waits).toEqual([]);
    expect((await choicesOf('owner')).push.is_on).toBe(false);
  });

  test('again, where the push service has a fault', async () => {
    const device = await startPushDevice();
    await allow(device);
    await team.choose('owner', { push: ['paid'] });
    device.answer(500);
    await team.pay();
    await expect
      .poll(async () => (await choicesOf('owner')).push.last, waits)
      .toMatchObject({ state: 'waiting', error: 'The push service answered 500' });
    device.answer(201);
    await team.retry();
    await expect.poll(() => device.pushed.length, waits).toBe(1);
  });

  test('and a device is known once, by whoever allowed it last', async () => {
    const device = await startPushDevice();
    await allow(device);
    await allow(device);
    expect((await myself()).devices).toHaveLength(1);
  });
});

describe('the first payment of a day', () => {
  test('is told once, whatever comes after it', async () => {
    await team.choose('owner', { mail: ['first_payment'] });
    await team.pay();
    await team.pay();
    await allSent();
    await team.pay();
    await allSent();
    const subjects = (await team.mailsTo('owner')).map(({ subject }) => subject);
    expect(subjects).toEqual([expect.stringContaining('First payment of the day: 25.5 USDC')]);
  });
});

describe('a test message', () => {
  test('goes to the channel that it is asked for, and is refused where nothing is sent', async () => {
    const call = await team.people.as('owner');
    const send = (channel: string) => call('POST', `${team.people.test}/notices/test`, { body: { channel } });
    expect((await send('mail')).status).toBe(409);
    await team.choose('owner', { mail: ['paid'] }, 'test');
    expect((await send('mail')).body.data).toEqual({ count: 1 });
    await allSent();
    const [mail] = await team.mailsTo('owner');
    expect(mail?.subject).toContain('Test mode. This is a test');
    expect((await choicesOf('owner', 'test')).mail.last).toMatchObject({ state: 'sent', error: null });
  });
});

describe('notices and webhooks', () => {
  test('are apart: no list of webhooks shows what tells a person', async () => {
    await team.choose('owner', { mail: ['paid'] });
    await team.pay();
    await allSent();
    const call = await team.people.as('owner');
    const list = await call<{ items: unknown[] }>('GET', `${team.people.live}/webhooks`);
    const deliveries = await call<{ items: unknown[] }>('GET', `${team.people.live}/deliveries`);
    expect([list.body.data.items, deliveries.body.data.items]).toEqual([[], []]);
  });
});
