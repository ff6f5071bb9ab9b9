import { describe, expect, test } from 'vitest';
import { type CreatedPayment, readPage, submitForm } from '../../../test/support/api.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { en } from '../messages/en.ts';

const password = 'correct horse battery staple';
let created = 0;

const app = await startApp({ seed: { approved: true } });
const owner = await seedUser(app.db, 'rich', password);
await seedBalance(app.db, { owner, kind: 'user', mode: 'test', asset: 'usdc-erc20', units: 10n ** 9n });
await seedUser(app.db, 'poor', password);
const frozen = await seedUser(app.db, 'frozen', password);
await app.db.query(`UPDATE users SET frozen_at = now(), frozen_why = 'asked' WHERE id = $1`, [frozen]);

async function createPayment(gateway = app, key = gateway.secretKey): Promise<string> {
  const { body } = await gateway.api<CreatedPayment>('PUT', '/payment/create', {
    key,
    body: {
      amount: 25,
      currency: 'USDC',
      payment_type: 'deposit',
      payment_reference: `FORM-${++created}`,
      success_url: 'https://shop.example/thanks',
    },
  });
  return body.data.PaymentURL;
}

const statusOf = async (page: string): Promise<string> => {
  const response = await fetch(page.replace('?', '/state?'));
  return ((await response.json()) as { payment_status: string }).payment_status;
};

/** The notice in the address that the form's answer redirects to, which must be the same page. */
async function noticeOf(page: string, response: Response): Promise<string | null> {
  const { pathname, searchParams } = new URL(page);
  const to = new URL(response.headers.get('location') ?? '', page);
  expect([response.status, to.pathname]).toEqual([303, pathname]);
  for (const [name, value] of searchParams) expect(to.searchParams.get(name)).toBe(value);
  return to.searchParams.get('notice');
}

type Form = [action: string, fields: Record<string, string>];

describe.each<{ what: string; first?: Form; form: Form; notice: string | null; status: string }>([
  { what: 'choosing a network', form: ['method', { asset: 'usdc-base' }], notice: null, status: 'linked' },
  { what: 'choosing the wallet', form: ['method', { asset: 'wallet' }], notice: null, status: 'linked' },
  {
    what: 'choosing a network of another currency',
    form: ['method', { asset: 'pi' }],
    notice: 'not_possible',
    status: 'unlinked',
  },
  { what: 'choosing nothing', form: ['method', {}], notice: 'not_possible', status: 'unlinked' },
  {
    what: 'paying from a wallet',
    form: ['wallet', { username: 'rich', password }],
    notice: null,
    status: 'completed',
  },
  {
    what: 'paying with a wrong password',
    form: ['wallet', { username: 'rich', password: 'wrong' }],
    notice: 'wrong_password',
    status: 'unlinked',
  },
  {
    what: 'paying with an unknown username',
    form: ['wallet', { username: 'nobody', password }],
    notice: 'wrong_password',
    status: 'unlinked',
  },
  {
    what: 'paying from a wallet that holds too little',
    form: ['wallet', { username: 'poor', password }],
    notice: 'insufficient_funds',
    status: 'unlinked',
  },
  {
    what: 'paying from a frozen wallet',
    form: ['wallet', { username: 'frozen', password }],
    notice: 'pay_in_wallet',
    status: 'unlinked',
  },
  {
    what: 'paying twice',
    first: ['simulate', { outcome: 'success' }],
    form: ['wallet', { username: 'rich', password }],
    notice: 'not_possible',
    status: 'completed',
  },
  {
    what: 'claiming to have paid',
    form: ['claim', { transaction: ` 0x${'a'.repeat(64)} ` }],
    notice: 'claim_received',
    status: 'unlinked',
  },
  {
    what: 'claiming with an empty field',
    form: ['claim', { transaction: ' ' }],
    notice: 'hash_missing',
    status: 'unlinked',
  },
  {
    what: 'claiming without a transaction',
    form: ['claim', { transaction: 'I did pay!' }],
    notice: 'not_claimable',
    status: 'unlinked',
  },
  {
    what: 'claiming on a completed payment',
    first: ['simulate', { outcome: 'success' }],
    form: ['claim', { transaction: '0x12345678' }],
    notice: 'not_possible',
    status: 'completed',
  },
  { what: 'cancelling', form: ['cancel', {}], notice: null, status: 'cancelled' },
  {
    what: 'cancelling a completed payment',
    first: ['simulate', { outcome: 'success' }],
    form: ['cancel', {}],
    notice: 'not_possible',
    status: 'completed',
  },
  { what: 'simulating', form: ['simulate', { outcome: 'slow' }], notice: null, status: 'pending' },
  {
    what: 'simulating an unknown outcome',
    form: ['simulate', { outcome: 'constructor' }],
    notice: 'not_playable',
    status: 'unlinked',
  },
  {
    what: 'simulating with the lists of the page unchanged',
    form: ['simulate', { outcome: '', amount: '', delay_seconds: '' }],
    notice: null,
    status: 'completed',
  },
  {
    what: 'simulating an amount that is too small for the outcome',
    form: ['simulate', { outcome: 'slow', amount: '0.5' }],
    notice: null,
    status: 'pending',
  },
  {
    what: 'simulating outcomes that do not combine',
    form: ['simulate', { outcome: 'dust', amount: '1' }],
    notice: 'not_playable',
    status: 'unlinked',
  },
  {
    what: 'disputing',
    first: ['simulate', { outcome: 'success' }],
    form: ['dispute', { reason: 'Nothing came.' }],
    notice: 'dispute_opened',
    status: 'in-appeal',
  },
  {
    what: 'disputing without a reason',
    first: ['simulate', { outcome: 'success' }],
    form: ['dispute', { reason: ' ' }],
    notice: 'not_possible',
    status: 'completed',
  },
  {
    what: 'disputing an unpaid payment',
    form: ['dispute', { reason: 'Nothing came.' }],
    notice: 'not_possible',
    status: 'unlinked',
  },
  {
    what: 'writing while the payment is in appeal',
    first: ['simulate', { outcome: 'dispute' }],
    form: ['message', { text: 'Here is a photo of it.' }],
    notice: 'message_sent',
    status: 'in-appeal',
  },
  {
    what: 'writing nothing',
    first: ['simulate', { outcome: 'dispute' }],
    form: ['message', { text: '  ' }],
    notice: 'not_possible',
    status: 'in-appeal',
  },
  {
    what: 'writing while the payment is not in appeal',
    form: ['message', { text: 'Hello?' }],
    notice: 'not_possible',
    status: 'unlinked',
  },
])('$what', ({ first, form, notice, status }) => {
  test(`redirects to the page with ${notice === null ? 'no notice' : `the notice ${notice}`}`, async () => {
    const page = await createPayment();
    if (first) await submitForm(page, ...first);
    expect(await noticeOf(page, await submitForm(page, ...form))).toBe(notice);
    expect(await statusOf(page)).toBe(status);
  });
});

test('a claim that is refused leads back to the page with what was written', async () => {
  const page = await createPayment();
  const written = `I did pay! ${'x'.repeat(300)}`;
  const answer = await submitForm(page, 'claim', { transaction: written });
  const address = new URL(answer.headers.get('location') ?? '', page);
  expect(address.searchParams.get('transaction')).toBe(written.slice(0, 200));
  // This screen has no field for it: what is wrong is said above.
  expect(await (await fetch(address)).text()).toContain('class="notice bad"');
});

test('a claim and a dispute are stored for the people who decide, and its customer reads the dispute again', async () => {
  const page = await createPayment();
  await submitForm(page, 'claim', { transaction: ' 0x12345678 ' });
  await submitForm(page, 'simulate', { outcome: 'success' });
  await submitForm(page, 'dispute', { reason: 'Nothing came.' });
  const { rows } = await app.db.query(
    `SELECT c.kind, c.content FROM payment_claims c JOIN payments p ON p.id = c.payment_id
     WHERE p.reference = $1 ORDER BY c.kind DESC`,
    [new URL(page).searchParams.get('reference')],
  );
  expect(rows).toEqual([
    { kind: 'paid', content: '0x12345678' },
    { kind: 'dispute', content: 'Nothing came.' },
  ]);
  const html = await (await fetch(page, { headers: { 'accept-language': 'en' } })).text();
  expect(html).toContain('What you reported</h2><p class="said" dir="auto">Nothing came.</p>');
});

test('a message is shown on the page as plain text', async () => {
  const page = await createPayment();
  await submitForm(page, 'simulate', { outcome: 'dispute' });
  await submitForm(page, 'message', { text: ' <b>Broken</b> ' });
  expect(await (await fetch(page)).text()).toContain('dir="auto">&lt;b&gt;Broken&lt;/b&gt;</p>');
});

test('a notice is shown in words, in the language of the form', async () => {
  const page = await createPayment();
  const response = await submitForm(page, 'wallet', { username: 'rich', password: 'wrong', lang: 'de' });
  const to = new URL(response.headers.get('location')!, page);
  expect(to.searchParams.get('lang')).toBe('de');
  expect(await (await fetch(to)).text()).toMatch(/<html lang="de".*<p class="notice bad" role="status">/s);
  to.searchParams.delete('lang');
  expect((await readPage(to.href)).words).toContain(en.noticeWrongPassword);
});

describe('a form that another site makes the browser send', () => {
  test.each<[string, Record<string, string>]>([
    ['with its origin', { origin: 'https://evil.example' }],
    ['with a hidden origin', { origin: 'null' }],
    ['with a similar origin', { origin: 'http://127.0.0.1.evil.example' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from the same site on another origin', { 'sec-fetch-site': 'same-site' }],
  ])('%s is refused and has no effect', async (_, headers) => {
    const page = await createPayment();
    for (const action of [
      'method',
      'wallet',
      'claim',
      'cancel',
      'enough',
      'simulate',
      'dispute',
      'message',
    ]) {
      const fields = { asset: 'wallet', username: 'rich', password, outcome: 'success' };
      const response = await submitForm(page, action, fields, headers);
      expect([response.status, await response.json()]).toEqual([
        403,
        expect.objectContaining({ error: 'foreign_form' }),
      ]);
    }
    expect(await statusOf(page)).toBe('unlinked');
  });

  test.each<[string, Record<string, string>]>([
    ['the page itself', { 'sec-fetch-site': 'same-origin' }],
    ['no site at all', { 'sec-fetch-site': 'none' }],
  ])('is refused, but not one from %s', async (_, headers) => {
    const page = await createPayment();
    expect((await submitForm(page, 'cancel', {}, headers)).status).toBe(303);
  });
});

test('a live payment cannot be simulated', async () => {
  const page = await createPayment(app, app.liveSecretKey);
  const response = await submitForm(page, 'simulate', { outcome: 'success' });
  expect([response.status, await response.json()]).toEqual([
    403,
    expect.objectContaining({ message: 'Only available in test mode' }),
  ]);
  expect(await statusOf(page)).toBe('unlinked');
});
