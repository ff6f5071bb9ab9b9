import { describe, expect, test } from 'vitest';
import { readPage, submitForm } from '../../../test/support/api.ts';
import { testClock } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';

const app = await startApp({ seed: { approved: true } });
// Its clock stands: no bucket fills again.
const limited = await startApp({ env: { RATE_LIMIT: '1' }, now: testClock().now });

type Link = { id: string; url: string; status: string; uses: number; revenue: string };

async function makeLink(input: Record<string, unknown> = {}, gateway = app): Promise<Link> {
  const { body, status } = await gateway.api<Link>('POST', '/payment-links', {
    body: { title: 'A wooden <chair>', currency: 'USDC', amount: '25.5', ...input },
  });
  expect(status, body.message).toBe(200);
  return body.data;
}

const press = (url: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });

const paymentsOf = async ({ id }: Link) =>
  (
    await app.api<{ items: { payment_reference: string; amount: string; payment_link: string }[] }>(
      'GET',
      `/payments?payment_link=${id}`,
    )
  ).body.data.items;

const html = async (url: string, cookie = '') =>
  (await fetch(url, { headers: { 'accept-language': 'en', cookie } })).text();

test('opening a link makes no payment, and its button makes one and leads to its page', async () => {
  const link = await makeLink({ description: 'Oak', success_url: 'https://shop.example/thanks' });
  expect((await readPage(link.url)).words).toMatch(
    /To pay 25\.50 USDC A wooden &lt;chair&gt; Oak Pay 25\.50/,
  );
  expect(await paymentsOf(link)).toEqual([]);
  const answer = await press(link.url);
  expect(answer.status).toBe(303);
  const [payment] = await paymentsOf(link);
  expect(payment).toMatchObject({ amount: '25.5', payment_link: link.id });
  const page = answer.headers.get('location') ?? '';
  expect(new URL(page).searchParams.get('reference')).toBe(payment?.payment_reference);
  expect((await readPage(page)).words).toContain('25.50 USDC');
  await submitForm(page, 'simulate', { outcome: 'success' });
  const { body } = await app.api<Link>('GET', `/payment-links/${link.id}`);
  expect(body.data).toMatchObject({ status: 'active', uses: 1, revenue: '25.5' });
});

test('a form that is sent twice makes one payment', async () => {
  const link = await makeLink();
  const nonce = /name="nonce" value="([^"]+)"/.exec(await html(link.url))?.[1] ?? '';
  const answers = await Promise.all([press(link.url, { nonce }), press(link.url, { nonce })]);
  expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
  expect(await paymentsOf(link)).toHaveLength(1);
});

test('a form of another site is refused', async () => {
  const link = await makeLink();
  expect((await press(link.url, {}, { origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await press(link.url, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect(await paymentsOf(link)).toEqual([]);
});

describe('where the customer says the amount', () => {
  test.each([
    ['', 'in digits'],
    ['ten', 'in digits'],
    ['1,234', 'in digits'],
    ['1e3', 'in digits'],
    ['-5', 'in digits'],
    ['5.1234567', 'too many decimals'],
    ['4.99', 'From <bdi>5.00'],
    ['50.01', 'From <bdi>5.00'],
  ])('%j is refused at the field', async (amount, why) => {
    const link = await makeLink({ amount: undefined, min_amount: 5, max_amount: 50 });
    const answer = await press(link.url, { amount }, { 'accept-language': 'en' });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(/id="amount-fault" role="alert">(.*?)<\/p>/.exec(page)?.[1]).toContain(why);
    expect(page).toContain(`value="${amount}"`);
    expect(await paymentsOf(link)).toEqual([]);
  });

  test.each([
    ['5', '5'],
    [' 12,50 ', '12.5'],
    ['٤٩٫٥', '49.5'],
  ])('%j is taken', async (amount, taken) => {
    const link = await makeLink({ amount: undefined, min_amount: 5, max_amount: 50 });
    expect((await press(link.url, { amount })).status).toBe(303);
    expect(await paymentsOf(link)).toMatchObject([{ amount: taken }]);
  });

  test('less than the minimum of a payment is refused at the field', async () => {
    const link = await makeLink({ amount: undefined });
    const answer = await press(link.url, { amount: '0.5' }, { 'accept-language': 'de' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Die kleinste Zahlung ist <bdi>1.00</bdi> USD wert.');
  });
});

describe('a link for one use', () => {
  test('says to others that somebody is paying, leads the same customer back, and then is paid', async () => {
    const link = await makeLink({ one_use: true });
    const first = await press(link.url);
    const page = first.headers.get('location') ?? '';
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await readPage(link.url)).words).toMatch(
      /Somebody is paying this already .* you can pay here after/,
    );
    const own = await html(link.url, cookie);
    const back = /id="own-payment" href="([^"]+)"/.exec(own)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(new URL(back).searchParams.get('reference')).toBe(new URL(page).searchParams.get('reference'));
    expect((await readPage(back)).words).toContain('25.50 USDC');
    const second = await press(link.url, {}, { 'accept-language': 'en' });
    expect([second.status, await second.text()]).toEqual([
      409,
      expect.stringContaining('Somebody is paying'),
    ]);

    await submitForm(page, 'simulate', { outcome: 'success' });
    const used = await readPage(link.url);
    expect([used.status, used.words]).toEqual([410, expect.stringContaining('This has been paid')]);
    expect(await html(link.url, cookie)).toContain('See your payment');
    expect((await app.api<Link>('GET', `/payment-links/${link.id}`)).body.data.status).toBe('used');
  });

  test('can be paid by the next customer once the first has cancelled', async () => {
    const link = await makeLink({ one_use: true });
    const page = (await press(link.url)).headers.get('location') ?? '';
    await submitForm(page, 'cancel', {});
    expect((await press(link.url)).status).toBe(303);
  });
});

test('a stopped, an expired and an unknown link say so', async () => {
  const stopped = await makeLink();
  await app.api('PATCH', `/payment-links/${stopped.id}`, { body: { active: false } });
  expect(await readPage(stopped.url)).toMatchObject({
    status: 410,
    words: expect.stringContaining('no longer in use'),
  });
  expect((await press(stopped.url)).status).toBe(410);

  const expired = await makeLink({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
  await app.api('POST', '/test/clock/advance', { body: { seconds: 3_700 } });
  expect(await readPage(expired.url)).toMatchObject({
    status: 410,
    words: expect.stringContaining('expired'),
  });

  expect((await readPage(`${app.baseUrl}/l/${'0'.repeat(20)}`)).status).toBe(404);
  expect((await readPage(`${app.baseUrl}/l/..%2f`)).status).toBe(404);
});

test('an address that makes too many payments by links is told to wait', async () => {
  const link = await makeLink({}, limited);
  const answers = [];
  for (let count = 0; count < 21; count++)
    answers.push(await press(link.url, {}, { 'accept-language': 'en' }));
  expect(answers.slice(0, 20).every(({ status }) => status === 303)).toBe(true);
  expect([answers[20]?.status, await answers[20]?.text()]).toEqual([
    429,
    expect.stringContaining('Too many payments'),
  ]);
});
