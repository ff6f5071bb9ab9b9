import { expect, test } from 'vitest';
import { type CreatedPayment, submitForm } from '../../../test/support/api.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';

async function createPayment({ api }: RunningApp): Promise<string> {
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
  return (await api<CreatedPayment>('PUT', '/payment/create', { body })).body.data.PaymentURL;
}

const fieldsOf = {
  method: ['asset'],
  wallet: ['username', 'password'],
  claim: ['transaction'],
  cancel: [],
  simulate: ['outcome'],
  dispute: ['reason'],
  message: ['text'],
};

/** As a form encodes it: NUL, lone surrogates, bytes that are not text, broken escapes, far too much text. */
const oddities = ['%00', 'a%00b', '%ED%A0%80', '%FF%FE', '%', '%E2%82', `%00${'a'.repeat(3000)}`];

async function post(page: string, action: string, body: string, type: string): Promise<number> {
  const { origin, pathname } = new URL(page);
  const headers = { origin, 'content-type': type };
  return (
    await fetch(`${origin}${pathname}/${action}`, { method: 'POST', headers, body, redirect: 'manual' })
  ).status;
}

test('no text in any field causes an internal error', async () => {
  const app = await startApp();
  // One payment for each form, so that no form ends the payment of another.
  const pages = new Map<string, string>();
  for (const action of Object.keys(fieldsOf)) pages.set(action, await createPayment(app));
  await submitForm(pages.get('dispute')!, 'simulate', { outcome: 'success' });
  await submitForm(pages.get('message')!, 'simulate', { outcome: 'dispute' });
  const common = ['reference', 'app', 'token', 'lang', 'notice'];
  const faults: string[] = [];
  const note = (what: string, status: number): void => {
    if (status >= 500) faults.push(`${status} ${what}`);
  };
  for (const [at, oddity] of oddities.entries()) {
    for (const [action, names] of Object.entries(fieldsOf)) {
      for (const [place, name] of [...common, ...names].entries()) {
        // Once in place of the field's value, once as a second value; in a small dose each oddity in one of these.
        const page = pages.get(action)!;
        const good = new URL(page).search.slice(1);
        const rest = good.replace(new RegExp(`\\b${name}=[^&]*&?`), '');
        const forms = [`${rest}&${name}=${oddity}`, `${good}&${name}=${oddity}`];
        for (const form of process.env.SOAK ? forms : [forms[(at + place) % 2]!]) {
          note(`${action} ${form}`, await post(page, action, form, 'application/x-www-form-urlencoded'));
        }
      }
    }
    const page = pages.get('claim')!;
    for (const call of ['', '/state']) {
      for (const name of common) {
        const { status } = await fetch(`${page.replace('?', `${call}?`)}&${name}=${oddity}`);
        note(`${call} ${name}=${oddity}`, status);
      }
    }
  }
  for (const value of ['"\\ud800"', '"\\u0000"', '["usdc-base"]', '{"a":1}', 'null', '1e999']) {
    for (const [action, names] of Object.entries(fieldsOf)) {
      const page = pages.get(action)!;
      const fields = Object.fromEntries(new URL(page).searchParams);
      for (const name of [...common, ...names]) {
        const body = JSON.stringify({ ...fields, [name]: 'HERE' }).replace('"HERE"', value);
        note(`${action} ${body}`, await post(page, action, body, 'application/json'));
      }
    }
  }
  expect(faults).toEqual([]);
  expect(app.log()).toBe('');
});
