import { afterAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { auditLedger } from '../../src/ledger/audit.ts';
import { type Api, createApi, submitForm } from '../support/api.ts';
import { openConsole, password } from '../support/console.ts';
import { seedBalance, seedUser } from '../support/fixtures.ts';
import { startApp } from '../support/running.ts';

// The same four questions to every road by which the money of a business leaves: somebody of finance asks for 10 where one
// approval is needed for any amount, and a key whose limit is 5 a day asks for 10.

const asset = 'usdc-erc20';
const to = `0x${'ab'.repeat(20)}`;

const app = await startApp();
const people = await openConsole(app);
const [owner, finance] = [await people.as('owner'), await people.as('finance')];
const shop = app.api;
const jane = await seedUser(app.db, 'jane_doe');
const business = { kind: 'business', owner: app.integrationId, mode: 'test' } as const;
await seedBalance(app.db, { ...business, asset, units: 1_000_000_000n });
await seedBalance(app.db, { kind: 'user', owner: jane, mode: 'test', asset, units: 1_000_000_000n });
const settings = { enabled: true, approvals: 1, approve_above: {}, known_addresses_only: false };
expect((await owner('PUT', `${people.test}/payout-settings`, { body: settings })).status).toBe(200);
const limited = createApi(app.baseUrl, await limitedKey());

afterAll(async () => {
  expect((await auditLedger(app.db)).findings).toEqual([]);
});

async function limitedKey(): Promise<string> {
  const body = {
    name: 'limited',
    actions: ['make payouts', 'make refunds', 'fund users'],
    daily_limits: { [asset]: '5' },
  };
  const made = await owner<{ secret_key: string }>('POST', `${people.test}/keys`, { body });
  expect(made.body.message).toBe('Key created');
  return made.body.data.secret_key;
}

type Created = { PaymentData: { payment_reference: string }; PaymentURL: string };
type Paid = { reference: string; page: string };

/** A completed payment of 10, out of the wallet of Jane or from outside. */
async function paid(from: 'outside' | 'wallet' = 'outside'): Promise<Paid> {
  const wanted = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
  const { data } = (await shop<Created>('PUT', '/payment/create', { body: wanted })).body;
  const { payment_reference: reference } = data.PaymentData;
  const page = data.PaymentURL;
  if (from === 'wallet') await submitForm(page, 'wallet', { username: 'jane_doe', password });
  else await shop('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'success' } });
  const { body } = await shop<{ payment_status: string }>('GET', `/payments/${reference}`);
  expect(body.data.payment_status).toBe('completed');
  return { reference, page };
}

const refund = (client: Api, path: string, body: object) =>
  client('POST', `${path}/refunds`, { body, headers: key() });
const byPerson = ({ reference }: Paid) => `${people.test}/payments/${reference}`;
const byKey = ({ reference }: Paid) => `/payments/${reference}`;
/** The one payout that waits, by its purpose. */
async function waiting(purpose: string): Promise<string> {
  const { rows } = await app.db.query<{ id: string }>(
    `SELECT id FROM payouts WHERE status = 'awaiting_approval' AND purpose = $1`,
    [purpose],
  );
  expect(rows).toHaveLength(1);
  return rows[0]?.id ?? '';
}

const key = () => ({ 'idempotency-key': newId() });

describe.each<{
  road: string;
  purpose: string;
  /** Somebody of finance asks for 10. */
  ask: () => Promise<unknown>;
  /** The key whose limit is 5 asks for 10. */
  tooMuch: () => Promise<{ status: number; body: { message: string } }>;
}>([
  {
    road: 'a payout',
    purpose: 'merchant_payout',
    ask: () =>
      finance('POST', `${people.test}/payouts`, { body: { asset, amount: '10', to }, headers: key() }),
    tooMuch: () => limited('POST', '/payouts', { body: { asset, amount: '10', to } }),
  },
  {
    road: 'a refund to an address',
    purpose: 'refund',
    ask: async () => refund(finance, byPerson(await paid()), { to }),
    tooMuch: async () => refund(limited, byKey(await paid()), { to }),
  },
  {
    road: 'a refund that its customer claims',
    purpose: 'refund',
    ask: async () => {
      const payment = await paid();
      const made = await refund(finance, byPerson(payment), {});
      const { id } = made.body.data as { id: string };
      await submitForm(payment.page, 'refund', { refund: id, asset, to, confirm: 'yes' });
    },
    tooMuch: async () => refund(limited, byKey(await paid()), {}),
  },
  {
    road: 'a refund to a wallet',
    purpose: 'refund',
    ask: async () => refund(finance, byPerson(await paid('wallet')), {}),
    tooMuch: async () => refund(limited, byKey(await paid('wallet')), {}),
  },
  {
    road: 'a funding of a wallet',
    purpose: 'user_funding',
    ask: () =>
      finance('POST', `${people.test}/fund-user`, {
        body: { username: 'jane_doe', amount: '10', currency: asset },
        headers: key(),
      }),
    tooMuch: () =>
      limited('POST', '/payment/fund-user', { body: { username: 'jane_doe', amount: 10, currency: asset } }),
  },
])('$road', ({ purpose, ask, tooMuch }) => {
  test('waits for somebody else than who asked, and goes once they approve', async () => {
    await ask();
    const id = await waiting(purpose);
    const approve = (client: Api) =>
      client<{ status: string }>('POST', `${people.test}/payouts/${id}/approve`, { body: {} });
    expect((await approve(finance)).body.message).toBe('Who asked for a payout cannot approve it');
    expect((await approve(await people.as('developer'))).status).toBe(403);
    expect(['queued', 'completed']).toContain((await approve(owner)).body.data.status);
  });

  test('is refused to a key above its limit of the day', async () => {
    const { status, body } = await tooMuch();
    expect([status, body.message]).toEqual([403, expect.stringMatching(/ 5 .* a day; 5 is left$/)]);
  });
});
