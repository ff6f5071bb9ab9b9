import { describe, expect, test } from 'vitest';
import { type CreatedPayment, readPage, submitForm } from '../../../test/support/api.ts';
import { startApp } from '../../../test/support/running.ts';
import { en } from '../messages/en.ts';

let created = 0;

const app = await startApp();

async function createPayment(): Promise<string> {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    body: { amount: 25, currency: 'USDC', payment_type: 'deposit', payment_reference: `MIX-${++created}` },
  });
  return body.data.PaymentURL;
}

describe('a combination that is refused', () => {
  const played = { amount: '9"<b>', delay_seconds: '60' };

  test('is shown again in the open form, with the reason of the API', async () => {
    const page = await createPayment();
    const answer = await submitForm(page, 'simulate', { ...played, outcome: 'split' });
    const markup = await (await fetch(new URL(answer.headers.get('location')!, page))).text();
    expect(markup).toContain('<details id="mix-outcomes" open>');
    expect(markup).toContain('<option value="split" selected>');
    expect(markup).toContain('value="9&quot;&lt;b&gt;"');
    expect(markup).toContain('value="60"');
    expect(markup).toMatch(/class="notice bad".*amount is invalid: must be a positive decimal number/);
  });

  test('has a reason when the outcomes do not combine', async () => {
    const page = await createPayment();
    const { words } = await readPage(`${page}&notice=not_playable&outcome=late&outcome=slow&outcome=reorg`);
    expect(words).toContain('Nothing was simulated. outcome is invalid: ');
  });

  test.each(['outcome=constructor', 'outcome=', 'why=Pay+elsewhere', 'amount=%00', 'outcome[]=split'])(
    'is not shown for an address with %s',
    async (query) => {
      const page = await createPayment();
      const markup = await (await fetch(`${page}&notice=not_playable&${query}`)).text();
      expect(markup).toContain('<details id="mix-outcomes">');
      expect(markup).toMatch(/class="notice bad" role="status">[^<]*<\/p>/);
    },
  );

  test('is cut to what fits into a field', async () => {
    const page = await createPayment();
    const answer = await submitForm(page, 'simulate', { outcome: 'split', amount: '1'.repeat(5_000) });
    expect(new URL(answer.headers.get('location')!, page).searchParams.get('amount')).toBe('1'.repeat(40));
  });
});

test('a page says how many steps of a simulation are still to come', async () => {
  const page = await createPayment();
  expect((await readPage(page)).words).not.toContain('Steps still to come');
  await submitForm(page, 'simulate', { outcome: 'late', delay_seconds: '600' });
  const { words } = await readPage(page);
  expect(words).toContain(en.expiredTitle);
  expect(words).toMatch(/The simulation goes on. Steps still to come: [1-9]/);
});

test('the address that a form leads to marks the state as new, but not that of a page that was paid before', async () => {
  const page = await createPayment();
  const markAfter = async (...form: [string, Record<string, string>]) => {
    const answer = await submitForm(page, ...form);
    return new URL(answer.headers.get('location')!, page).hash;
  };
  expect(await markAfter('simulate', { outcome: 'success' })).toBe('#new');
  expect(await readPage(page)).toMatchObject({ words: expect.stringContaining('Paid. Thank you.') });
  expect(await markAfter('dispute', { reason: ' ' })).toBe('');
});
