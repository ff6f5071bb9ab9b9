import { vi } from 'vitest';
import { seedEvents } from '../../../bench/seed/events.ts';
import { bookPayments, seedPayments } from '../../../bench/seed/payments.ts';
import { after } from '../../src/kit/clock.ts';
import { transaction } from '../../src/kit/db/db.ts';
import { createAssets } from '../../src/money/assets.ts';
import { freezeUser } from '../../src/wallets/operators/standing-changes.ts';
import { defaultEventTypes } from '../../src/webhooks/events/event-types.ts';
import type { Api, CreatedPayment } from '../support/api.ts';
import { type OpenConsole, openConsole, type Person } from '../support/console.ts';
import { seedBalance, seedUser } from '../support/fixtures.ts';
import { outbox } from '../support/mailbox.ts';
import { type AppOptions, type RunningApp, startApp } from '../support/running.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import { makePayouts } from './dashboard-payouts.ts';
import { leaveUnordered, receiveUnmatched } from './dashboard-unmatched.ts';

// Two installations: one after some weeks of business, and one on its first day.

const days = (count: number): number => count * 24 * 3600;

export type Place = {
  app: RunningApp;
  people: OpenConsole;
  /** Values for the parameters of the router's paths, and for `$open...` in their searches. */
  params: Record<string, string>;
};

type Made = { id: string };
type Listed = { items: { id: string; endpoint: { id: string } }[] };

/** Calls that must succeed. */
async function done<Data>(client: Api, method: string, path: string, body?: object): Promise<Data> {
  const answer = await client<Data>(method, path, body === undefined ? {} : { body });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body.data;
}

/** An installation where nothing happened yet: one integration, its owner and an operator. */
export async function openFirstDay(
  options: Pick<AppOptions, 'database' | 'env' | 'resolve'> = {},
): Promise<Place> {
  const app = await startApp({ seed: { name: 'Web shop' }, ...options });
  const people = await openConsole(app);
  return {
    app,
    people,
    params: {
      integration: app.integrationId,
      mode: 'test',
      merchant: people.merchantId,
      user: await seedUser(app.db, 'jane_doe'),
      // Pages with these values say that nothing was found.
      reference: 'unknown',
      token: 'unknown',
    },
  };
}

/** An installation after some weeks of business. */
export async function openBusyPlace(): Promise<Place> {
  const app = await startApp({ seed: { name: 'Nib & Folio', approved: true } });
  const people = await openConsole(app);
  const owner = await people.as('owner');
  const receiver = await openReceiver(({ body }) => (body.payment_reference.endsWith('7') ? 503 : 200));
  await done(app.api, 'POST', '/webhook-endpoints', { url: receiver.url });
  await done(owner, 'POST', `${people.test}/webhooks`, {
    url: 'https://accounts.shop.example/florin/webhooks',
    description: 'Accounting',
    events: ['payment_completed'],
    headers: [{ name: 'X-Tenant', value: 'nib-and-folio' }],
  });
  await makeSilentEndpoints(app);
  await seedWeeks(app);
  const reference = await playPayments(app, owner, people);
  await workAsOwner(owner, people);
  await workAsOperator(people);
  await askForLiveMode(app, people);
  const openPayout = await makePayouts(app, people);
  const openDeposit = await receiveUnmatched(app);
  const openMove = await leaveUnordered(app);
  const params = {
    ...(await idsOf(owner, people)),
    openDeposit,
    openPayout,
    openMove,
    user: await makeUser(app),
    reference,
    token: await invitationToken(app),
  };
  return {
    app,
    people,
    params: { ...params, integration: app.integrationId, mode: 'test', merchant: people.merchantId },
  };
}

/** A user who has something, and whose wallet is frozen. */
async function makeUser({ db }: RunningApp): Promise<string> {
  const owner = await seedUser(db, 'jane_doe');
  await seedBalance(db, { owner, kind: 'user', mode: 'live', asset: 'usdc-base', units: 12_500_000n });
  await transaction(db, (tx) => freezeUser(tx, owner, 'Her phone was stolen', new Date()));
  return owner;
}

/** One paused endpoint, and one that Florin has disabled. Neither gets the events from here on. */
async function makeSilentEndpoints({ api, db }: RunningApp): Promise<void> {
  const pausedEndpoint = async (url: string): Promise<Made> => {
    const made = await done<Made>(api, 'POST', '/webhook-endpoints', { url });
    await done(api, 'PATCH', `/webhook-endpoints/${made.id}`, { status: 'paused' });
    return made;
  };
  await pausedEndpoint('https://stock.shop.example/hook');
  const broken = await pausedEndpoint('https://old.shop.example/hook');
  await db.query(
    `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = 'Every attempt failed for seven days',
       failing_since = now() - interval '8 days' WHERE id = $1`,
    [broken.id],
  );
}

async function seedWeeks({ db, integrationId }: RunningApp): Promise<void> {
  const now = new Date();
  const batch = {
    count: 900,
    from: after(now, -days(60)),
    to: now,
    number: 1_000,
    customers: 80,
    feeBps: 100,
  };
  await transaction(db, async (tx) => {
    await seedPayments(tx, { integrationId, assets: createAssets() }, batch, now);
    const told = { since: after(now, -days(30)), types: defaultEventTypes };
    await seedEvents(tx, { integrationId, mode: 'test' }, told);
    await bookPayments(tx, { integrationId });
  });
}

/** Payments with every simulated outcome; returns the reference of the one with the longest timeline. */
async function playPayments(app: RunningApp, owner: Api, people: OpenConsole): Promise<string> {
  const ends = ['failure', 'expire', 'underpaid', 'overpaid', 'late', 'slow', 'dispute', 'success'];
  for (const outcome of ends) {
    const body = {
      amount: 84.5,
      currency: 'USDC',
      payment_type: 'deposit',
      payment_reference: `order-${outcome}`,
      customer_email: 'grace.hopper@customers.example',
      customer_reference: 'cust_1906',
      meta_data: '{"order":{"id":1042,"gift":true},"channel":"web"}',
      item_list: {
        items: [
          { name: 'Ledger notebook', quantity: 2, price: 18 },
          { name: 'Brass fountain pen', quantity: 1, price: 48.5 },
        ],
      },
    };
    await done<CreatedPayment>(app.api, 'PUT', '/payment/create', body);
    await done(owner, 'POST', `${people.test}/payments/order-${outcome}/simulate`, { outcome });
  }
  await app.api('PUT', '/payment/create', {
    body: { amount: -1, currency: 'USDC', payment_type: 'deposit' },
  });
  return 'order-dispute';
}

async function workAsOwner(owner: Api, people: OpenConsole): Promise<void> {
  await done(owner, 'POST', `${people.test}/keys`, {
    name: 'Till in Berlin',
    actions: ['create payments', 'read payments'],
    addresses: ['203.0.113.0/24'],
  });
  const teammates: Person[] = ['developer', 'finance', 'support', 'read-only'];
  for (const person of teammates) await people.as(person);
  await done(owner, 'POST', `${people.merchant}/invitations`, {
    email: 'bea@lumen.example',
    role: 'support',
  });
  const { items } = await done<Listed>(owner, 'GET', `${people.test}/appeals?status=open&limit=1`);
  await done(owner, 'POST', `${people.test}/appeals/${items[0]!.id}/messages`, {
    text: 'The parcel was signed for on Tuesday; the carrier’s slip is attached to the order.',
  });
}

async function workAsOperator(people: OpenConsole): Promise<void> {
  const operator = await people.as('operator');
  await people.as('stranger');
  const { items } = await done<Listed>(operator, 'GET', '/console/operator/merchants?search=Elsewhere');
  const at = '/console/operator';
  await done(operator, 'POST', `${at}/merchants/${items[0]!.id}/suspend`, {
    reason: 'Sells what it does not have',
  });
  await done(operator, 'POST', `${at}/announcements`, {
    text: 'Maintenance on Sunday from 02:00 to 02:30 UTC.',
    tone: 'waiting',
  });
  await done(operator, 'POST', `${at}/ledger-audits`, {});
}

/** A new merchant requests live mode. The tasks that come before that have tests of their own. */
async function askForLiveMode({ db }: RunningApp, people: OpenConsole): Promise<void> {
  const newcomer = await people.as('stranger');
  const { id: merchant } = await done<Made>(newcomer, 'POST', '/console/account/merchants', {
    name: 'Lumen Books',
  });
  const at = `/console/merchants/${merchant}/integrations`;
  const { id } = await done<Made>(newcomer, 'POST', at, { name: 'Mobile app' });
  await db.query(
    "UPDATE integrations SET approval = 'requested', approval_requested_at = now() WHERE id = $1",
    [id],
  );
}

/** The ids that drawers are opened with: the first row of each list. */
async function idsOf(owner: Api, people: OpenConsole): Promise<Record<string, string>> {
  // Calls are written to the request log shortly after they were answered.
  const first = (path: string) =>
    vi.waitFor(async () => {
      const [item] = (await done<Listed>(owner, 'GET', path)).items;
      if (!item) throw new Error(`Nothing at ${path}`);
      return item;
    }, 120_000);
  const [appeal, delivery, endpoint, entry, request] = await Promise.all([
    first(`${people.test}/appeals?status=open&limit=1`),
    first(`${people.test}/deliveries?limit=1`),
    first(`${people.test}/webhooks`),
    first(`${people.merchant}/audit?limit=1`),
    first(`${people.test}/requests?limit=1`),
  ]);
  return {
    openAppeal: appeal.id,
    openDelivery: `${delivery.endpoint.id}.${delivery.id}`,
    openEndpoint: endpoint.id,
    openEntry: entry.id,
    openRequest: request.id,
  };
}

async function invitationToken({ db }: RunningApp): Promise<string> {
  const texts = (await outbox(db)).map(({ text }) => text);
  return /\/app\/invitation\/(\S+)/.exec(texts.join('\n'))?.[1] ?? '';
}
