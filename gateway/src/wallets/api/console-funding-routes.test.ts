import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../test/refunds/keys.ts';
import { type Api, createApi } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { ConsolePayout } from '../../payouts/api/console-answers.ts';
import type { FundedUser } from '../console-answers.ts';

const asset = 'usdc-erc20';
let finance: Api;

const app = await startApp({ seed: { approved: true } });
const people = await openConsole(app);
const owner = await people.as('owner');
const jane = await seedUser(app.db, 'jane_doe');
for (const mode of ['test', 'live'] as const) {
  const business = { kind: 'business', owner: app.integrationId, mode } as const;
  await seedBalance(app.db, { ...business, asset, units: 1_000_000_000n });
}

afterAll(async () => {
  expect((await auditLedger(app.db)).findings).toEqual([]);
});

const at = (path: string, base = people.test) => `${base}${path}`;
const fund = (client: Api, amount: string, key: string = newId(), base = people.test) =>
  client<FundedUser>('POST', `${base}/fund-user`, {
    body: { username: 'jane_doe', amount, currency: asset },
    headers: { 'idempotency-key': key },
  });
const decide = (client: Api, id: string, what: string, body: object = {}) =>
  client<ConsolePayout>('POST', at(`/payouts/${id}/${what}`), { body });
const ask = async (approvals: number, above = '0') => {
  const approve_above = { [asset]: above };
  const body = { enabled: true, approvals, approve_above, known_addresses_only: false };
  expect((await owner('PUT', at('/payout-settings'), { body })).status).toBe(200);
};
const settle = (body: object, base = people.test, client = owner) =>
  client('PUT', `${base}/fund-user-settings`, { body });

/** Units of the business, free and held, and of the user. */
async function money(mode: 'test' | 'live' = 'test'): Promise<{ free: bigint; held: bigint; jane: bigint }> {
  const [business] = await balancesOf(app.db, { kind: 'business', owner: app.integrationId, mode });
  const [user] = await balancesOf(app.db, { kind: 'user', owner: jane, mode });
  return { free: business!.available, held: business!.held, jane: user?.available ?? 0n };
}

test('somebody alone funds users as before: nobody else could approve it', async () => {
  expect((await fund(owner, '1', newId(), people.live)).body).toEqual({
    message: 'User wallet funded successfully',
    data: null,
  });
});

describe('a funding above the approvals of payouts', () => {
  beforeAll(async () => {
    finance = await people.as('finance');
    await ask(1, '10');
  });

  test('is an order that waits with its hold, and reaches the wallet once somebody else approved it', async () => {
    const before = await money();
    const key = newId();
    const asked = await fund(finance, '300', key);
    expect(asked.body).toEqual({
      message: 'Waits for approval',
      data: { payout_id: expect.any(String), approvals_needed: 1 },
    });
    const { payout_id: id } = asked.body.data!;
    expect((await fund(finance, '300', key)).body).toEqual(asked.body);
    expect(await money()).toEqual({ ...before, free: before.free - 300_000_000n, held: 300_000_000n });

    const listed = await owner<{ items: ConsolePayout[] }>('GET', at('/payouts?status=awaiting_approval'));
    expect(listed.body.data.items).toMatchObject([
      { id, purpose: 'user_funding', to: 'jane_doe', amount: '300', requester: 'finance@example.com' },
    ]);
    expect((await decide(finance, id, 'approve')).body.error).toBe('own_payout');
    expect((await decide(await people.as('developer'), id, 'approve')).body.error).toBe('role_may_not');
    const done = await decide(owner, id, 'approve');
    expect(done.body.data).toMatchObject({ status: 'completed', transaction: null });
    expect(await money()).toEqual({ free: before.free - 300_000_000n, held: 0n, jane: 300_000_000n });
    expect((await decide(owner, id, 'cancel')).body.error).toBe('payout_not_cancellable');

    const lines = await owner<{ items: object[] }>('GET', at('/balance-entries?limit=1'));
    expect(lines.body.data.items).toMatchObject([
      { cause: 'fund_user', amount: '-300', username: 'jane_doe' },
    ]);
    const { rows } = await app.db.query(
      `SELECT kind, units, other = i.name AS is_named FROM wallet_notices JOIN integrations i ON i.id = $1
       WHERE mode = 'test'`,
      [app.integrationId],
    );
    expect(rows).toEqual([{ kind: 'funded', units: 300_000_000n, is_named: true }]);
  });

  test('tells whoever may approve it by mail, writes the audit log, and sends no event', async () => {
    const { payout_id: id } = (await fund(finance, '20')).body.data!;
    await decide(owner, id, 'approve');
    const { rows: mails } = await app.db.query(
      "SELECT recipient FROM emails WHERE subject LIKE '%approval%'",
    );
    expect(new Set(mails.map(({ recipient }) => recipient))).toEqual(new Set(['owner@example.com']));
    const { rows: log } = await app.db.query(
      `SELECT action FROM audit_log WHERE action LIKE '%fund%' OR action LIKE '%payout'
       ORDER BY id DESC LIMIT 2`,
    );
    expect(log.map(({ action }) => action)).toEqual(['approved a payout', 'asked to fund a user']);
    const { rowCount } = await app.db.query('SELECT FROM events');
    expect(rowCount).toBe(0);
  });

  test.each([
    ['reject', { reason: 'We do not know her' }, 'rejected'],
    ['cancel', {}, 'cancelled'],
  ])('gives everything back after %s', async (what, body, status) => {
    const before = await money();
    const { payout_id: id } = (await fund(finance, '300')).body.data!;
    expect((await decide(owner, id, what, body)).body.data).toMatchObject({ status });
    expect(await money()).toEqual(before);
    expect((await decide(owner, id, 'approve')).body.error).toBe('not_approvable');
  });

  test('is seen and cancelled by keys that may fund users, and by no others', async () => {
    const { payout_id: id } = (await fund(finance, '300')).body.data!;
    const [payer, funder] = [
      await createKey(app, ['make payouts', 'use test mode calls']),
      await createKey(app, ['make payouts', 'fund users']),
    ];
    const calls = [
      ['GET', `/payouts/${id}`],
      ['POST', `/payouts/${id}/cancel`],
      ['POST', `/test/payouts/${id}/simulate`, { outcome: 'sent' }],
    ] as const;
    for (const [method, path, body] of calls) {
      const refused = await app.api(method, path, { key: payer, ...(body && { body }) });
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, 'action_not_allowed']);
    }
    const seen = await app.api('GET', `/payouts/${id}`, { key: funder });
    expect(seen.body.data).toMatchObject({ id, purpose: 'user_funding', status: 'awaiting_approval' });
    const ended = await app.api('POST', `/payouts/${id}/cancel`, { key: funder });
    expect(ended.body.data).toMatchObject({ status: 'cancelled' });
  });

  test('is refused as one at once is', async () => {
    const headers = { 'idempotency-key': newId() };
    const nobody = { username: 'nobody', amount: '300', currency: asset };
    const unknown = await finance('POST', at('/fund-user'), { body: nobody, headers });
    expect(unknown.body.error).toBe('user_not_found');
    expect((await fund(finance, '5000')).body.error).toBe('insufficient_balance');
  });

  test('counts both approvals where two are needed', async () => {
    await people.renew('finance');
    await ask(2);
    const before = await money();
    const { payout_id: id } = (await fund(await people.as('finance'), '1')).body.data!;
    expect((await decide(owner, id, 'approve')).body.data).toMatchObject({ status: 'awaiting_approval' });
    expect((await decide(owner, id, 'approve')).body.error).toBe('approved_already');
    expect((await decide(finance, id, 'approve')).body.data).toMatchObject({ status: 'completed' });
    expect((await money()).jane).toBe(before.jane + 1_000_000n);
    await ask(1, '10');
  });

  test('up to that amount the user has it at once', async () => {
    expect((await fund(finance, '10')).body.data).toBeNull();
  });

  test('needs another one in live mode too, as soon as there is another, whatever the settings of payouts say', async () => {
    const before = await money('live');
    const answer = await fund(finance, '1', newId(), people.live);
    expect(answer.body.data).toMatchObject({ approvals_needed: 1 });
    expect((await money('live')).jane).toBe(before.jane);
  });
});

describe('the settings of the owner', () => {
  beforeEach(() => settle({ enabled: true, daily_limits: {} }));
  const byKey = (amount: number, username = 'jane_doe') =>
    app.api('POST', '/payment/fund-user', { body: { username, amount, currency: asset } });

  test("are the owner's alone, say what is wrong, and are in the audit log", async () => {
    const body = { enabled: true, daily_limits: { [asset]: '12.5' } };
    expect((await settle(body, people.test, finance)).body.error).toBe('role_may_not');
    const wrong = await settle({ enabled: true, daily_limits: { gold: '1' } });
    expect(wrong.body.message).toBe('daily_limits.gold is invalid: must be an asset with a decimal amount');
    expect((await settle(body)).body.data).toMatchObject(body);
    const read = await finance('GET', at('/fund-user-settings'));
    expect(read.body.data).toMatchObject({ ...body, assets: expect.arrayContaining([asset]) });
    const { rows } = await app.db.query(
      "SELECT before, after FROM audit_log WHERE action = 'changed fund-user settings' ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([
      { before: { mode: 'test', enabled: true, daily_limits: {} }, after: { mode: 'test', ...body } },
    ]);
  });

  test('turn fund-user off for keys and people of one mode', async () => {
    await settle({ enabled: false, daily_limits: {} });
    expect((await byKey(1)).body).toMatchObject({
      message: 'Fund-user is not enabled',
      error: 'fund_user_off',
    });
    expect((await byKey(1)).status).toBe(403);
    // Nothing is said about who has a wallet.
    expect((await byKey(1, 'nobody')).body.error).toBe('fund_user_off');
    expect((await fund(finance, '1')).body.error).toBe('fund_user_off');
    expect((await fund(finance, '300')).body.error).toBe('fund_user_off');
    const liveApi = createApi(app.baseUrl, app.liveSecretKey);
    const body = { username: 'jane_doe', amount: 1, currency: asset };
    expect((await liveApi('POST', '/payment/fund-user', { body })).status).toBe(200);
  });

  test('limit what all keys and people fund on a day, and what waits counts until it ends unpaid', async () => {
    await settle({ enabled: true, daily_limits: { [asset]: '100' } });
    expect((await byKey(30)).status).toBe(200);
    expect((await fund(finance, '5')).status).toBe(200);
    const { payout_id: id } = (await fund(finance, '60')).body.data!;
    const over = await byKey(6);
    expect([over.status, over.body.message]).toEqual([
      403,
      'This integration may fund 100 USDC a day; 5 is left',
    ]);
    expect((await byKey(6, 'nobody')).body.error).toBe('user_not_found');
    expect((await byKey(5_000)).body.error).toBe('funding_limit');
    expect((await fund(finance, '20')).body.error).toBe('funding_limit');
    expect((await decide(owner, id, 'cancel')).status).toBe(200);
    const again = (await fund(finance, '65')).body.data!;
    expect((await decide(owner, again.payout_id, 'approve')).status).toBe(200);
    expect((await byKey(1)).body.message).toBe('This integration may fund 100 USDC a day; 0 is left');
    const { rowCount } = await app.db.query('SELECT FROM funding_claims');
    expect(rowCount).toBe(0);
    // An asset without a limit has none.
    expect((await byKey(1)).status).toBe(403);
    await settle({ enabled: true, daily_limits: { 'usdc-base': '1' } });
    expect((await byKey(1)).status).toBe(200);
  });
});
