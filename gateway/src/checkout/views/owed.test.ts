import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS } from '../../../test/browser/checkout-fixtures.ts';
import { CLAIMS } from '../../../test/browser/owed-payments.ts';
import { namedAssets } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { ClaimDraft } from '../owed.ts';
import { renderPage } from './render.ts';

const render = (payment: CheckoutPayment, claim?: ClaimDraft) =>
  renderPage(payment, {
    locale: 'en',
    payPath: '/pay',
    origin: 'https://pay.example',
    now: NOW,
    assets: namedAssets,
    ...(claim && { claim }),
  });
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\s+/g, ' ');
const formOf = (page: string, id: string) =>
  page.match(new RegExp(`<form [^>]*id="${id}".*?</form>`, 's'))?.[0] ?? '';
const inputsOf = (form: string) =>
  Object.fromEntries(
    [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );

describe('what is owed', () => {
  test('is claimed with an address, in a form for each amount', () => {
    const page = render(PAYMENTS['completed-owed-much']);
    expect(textOf(page)).toContain('Owed to you4.50 USDC · Base');
    expect(inputsOf(formOf(page, 'owed-form-0'))).toMatchObject({ asset: 'usdc-base', to: '' });
    expect(formOf(page, 'owed-form-0')).not.toMatch(/name="(memo|refund)"/);
    const [, line] = PAYMENTS['completed-owed-much'].owed;
    expect(inputsOf(formOf(page, 'owed-form-1'))).toMatchObject({
      asset: 'pi',
      refund: line?.refundId,
      memo: '',
    });
    expect(textOf(formOf(page, 'owed-form-1'))).toContain('Acme Coffee Roasters has to confirm it first.');
    // The refund that waits for an address is shown once, with its form.
    expect(textOf(page)).not.toContain('Waits for your address');
  });

  test('is shown without a form where it is too little to be sent', () => {
    const page = render(PAYMENTS['completed-owed-little']);
    expect(textOf(page)).toContain(
      'The smallest amount that can be sent is 1.00 USDC. It stays owed to you.',
    );
    expect(page).not.toContain('action="/pay/refund"');
  });

  test('stops the countdown, and is said once', () => {
    expect(render(PAYMENTS['completed-owed'])).not.toContain('data-seconds');
    expect(render(PAYMENTS['completed-refunds'])).not.toContain('data-seconds');
    expect(textOf(render(PAYMENTS['completed-owed']))).not.toContain('The extra 4.50 USDC');
  });
});

test('refunds are shown with their states, addresses and transactions', () => {
  const page = textOf(render(PAYMENTS['completed-refunds']));
  const states = [
    'Waits until it is approved',
    'Waits to be sent',
    'Being sent',
    'Sent',
    'Failed.',
    'Cancelled',
  ];
  for (const state of states) expect(page).toContain(`12.25 USDC · Base${state}`);
  expect(page).toContain('Memo10234567');
});

describe('a claim', () => {
  const owed = PAYMENTS['completed-owed'];

  test('is shown once more, and sent with the confirmation', () => {
    const page = render(owed, CLAIMS['claim-to-confirm']);
    const { to, memo, line } = CLAIMS['claim-to-confirm'];
    expect(textOf(page)).toContain('120.00 PI goes to the address below, on Pi Network.');
    expect(textOf(page)).toContain(`Address${to}Memo${memo}`);
    expect(textOf(page)).toContain(
      'Acme Coffee Roasters has to confirm this address before anything is sent.',
    );
    expect(inputsOf(formOf(page, 'refund-form'))).toMatchObject({
      reference: owed.reference,
      refund: line.refundId,
      asset: 'pi',
      to,
      memo,
      confirm: 'yes',
    });
    // It follows no changes: they would replace what is to be confirmed.
    expect(page).not.toContain('<script');
  });

  test('to the address that the money came from, or to a contract, is confirmed with a warning', () => {
    const page = textOf(render(owed, CLAIMS['claim-of-the-sender']));
    expect(page).toContain('If it belongs to an exchange, it is not yours');
    expect(page).toContain('There is a contract at this address.');
    expect(textOf(render(owed, CLAIMS['claim-right']))).not.toMatch(/exchange|contract/);
  });

  test('that its customer may sign has the text to sign, a field for the signature, and a script for wallets', () => {
    const claim = CLAIMS['claim-to-sign'];
    const page = render(owed, claim);
    expect(page).toContain(claim.proof.statement);
    expect(textOf(page)).toContain(`It has to be signed by: ${claim.line.signers[0]}`);
    expect(formOf(page, 'refund-form')).toContain('name="signature"');
    expect(page).toContain('<script type="module" src="/pay/sign-1.js">');
    expect(textOf(page)).toContain('has to confirm this address before anything is sent.');
  });

  test('with a signature that does not fit can be signed again, or sent without one', () => {
    const claim = CLAIMS['claim-to-sign'];
    const wrong = { ...claim, fault: 'claim_signature_wrong', proof: { ...claim.proof, signature: '0x12' } };
    const page = render(owed, wrong as ClaimDraft);
    expect(textOf(page)).toContain('This signature does not fit.');
    expect(textOf(page)).toContain('Check it before it is sent');
    expect(inputsOf(formOf(page, 'refund-form'))).toMatchObject({ to: claim.to, confirm: 'yes' });
    expect(formOf(page, 'refund-form')).toMatch(/<textarea [^>]*name="signature"[^>]*>0x12</);
  });

  test('that cannot be sent says why, and asks again with what was entered', () => {
    const page = render(owed, CLAIMS['claim-wrong']);
    expect(textOf(page)).toContain('This is not an address of that network. Look for a typing error.');
    expect(page).not.toContain('name="confirm"');
    expect(inputsOf(formOf(page, 'owed-form-0'))).toMatchObject({ to: CLAIMS['claim-wrong'].to });
  });
});
