import { describe, expect, test } from 'vitest';
import { eventBody, payoutBody } from '../../webhooks/events/body.ts';
import { paymentEventTypes, payoutEventTypes } from '../../webhooks/events/event-types.ts';
import type { DayFacts } from '../day-facts.ts';
import { noticeLanguages } from '../languages.ts';
import { type Notice, type NoticePlace, noticeOf } from './text.ts';

const integrationId = '018f3c5e-0000-7000-8000-000000000001' as DayFacts['integration_id'];
const assetOf = (code: string) =>
  code === 'usdc-erc20' ? { currency: 'USDC', network: 'Ethereum' } : undefined;
const place: NoticePlace = {
  ...{ integrationId, mode: 'live', integration: 'Corner shop' },
  ...{ language: 'en', assetOf },
};
const at = new Date('2026-03-01T12:00:00Z');

// Whatever of an event is about a customer, or opens something, has the word "secret" in it.
const bodies: [string, string][] = [
  ...paymentEventTypes.map((type): [string, string] => [
    type,
    eventBody('secret event', {
      ...{ integrationId, mode: 'live', type, sequence: 1, at },
      payment: {
        ...{ id: 'secret id', reference: 'order/7 #?', currency: 'USDC', amount: 25.5, status: 'completed' },
        ...{ serviceFee: 0, customerEmail: 'secret@example.com', customerReference: 'secret customer' },
      },
      refund: { id: 'secret refund', asset: 'usdc-erc20', amount: '10' },
    }),
  ]),
  ...payoutEventTypes.map((type): [string, string] => [
    type,
    payoutBody('secret event', {
      ...{ integrationId, mode: 'live', type, sequence: 1, at },
      payout: {
        ...{
          id: 'secret id',
          reference: 'salary',
          purpose: 'payout',
          asset: 'usdc-erc20',
          amount: '10',
          fee: '0',
        },
        ...{ to: '0xsecret', memo: 'secret memo', status: 'completed', transaction: '0xsecret' },
      },
    }),
  ]),
  [
    'webhook_endpoint_disabled',
    JSON.stringify({
      event_type: 'webhook_endpoint_disabled',
      url: 'https://secret:secret@shop.example/hooks/secret?token=secret',
      reason: 'secret',
    }),
  ],
  ['notice_test', JSON.stringify({ event_type: 'notice_test', token: 'secret' })],
];

const wordsOf = ({ title, lines, path }: Notice): string => [title, ...lines, path].join('\n');

describe.each(bodies)('the notice of %s', (_type, body) => {
  test.each(noticeLanguages)(
    'has nothing of a customer, no token and no link but to a page of the dashboard (%s)',
    (language) => {
      for (const isFirst of [false, true]) {
        const notice = noticeOf(body, { ...place, language }, isFirst);
        expect([notice.title, ...notice.lines].join('\n')).not.toMatch(/[{}]|undefined/);
        expect(wordsOf(notice)).not.toMatch(/secret/i);
        expect([notice.title, ...notice.lines].join('\n')).not.toMatch(/https?:|\/pay\//);
        expect(notice.path).toMatch(
          /^i\/018f3c5e-0000-7000-8000-000000000001\/live\/(?:payments\/[\w%.-]+|balances\?tab=payouts|webhooks|settings\?tab=notices)$/,
        );
      }
    },
  );
});

test('a notice of a short payment says what came of what was due', () => {
  const facts = {
    event_type: 'payment_completed',
    amount: 25.5,
    currency: 'USDC',
    payment_reference: 'order-7',
  };
  const body = JSON.stringify({ ...facts, short: true, paid_amount: '25.1' });
  expect(noticeOf(body, place, false).title).toBe('Paid: 25.1 of 25.5 USDC');
});

test('a notice of a priced payment says its price, and what it was paid with', () => {
  const facts = {
    event_type: 'payment_completed',
    amount: 49.9,
    currency: 'EUR',
    payment_reference: 'order-7',
  };
  const paid = { paid_asset: 'usdc-erc20', paid_amount: '53.22' };
  expect(noticeOf(JSON.stringify({ ...facts, ...paid }), place, false).title).toBe(
    'Paid: 49.9 EUR (53.22 USDC on Ethereum)',
  );
  const open = JSON.stringify({ ...facts, event_type: 'payment_failed', paid_asset: '', paid_amount: '' });
  expect(noticeOf(open, place, false).title).toBe('Payment failed: 49.9 EUR');
});

test('a notice is in the language of the person', () => {
  const [, body] = bodies[0]!;
  const title = (language: NoticePlace['language']) =>
    noticeOf(body, { ...place, language, mode: 'test' }, false).title;
  expect(noticeLanguages.map(title)).toEqual([
    'Test mode. Paid: 10 USDC on Ethereum',
    'Testmodus. Gezahlt: 10 USDC auf Ethereum',
    'Modo de prueba. Pagado: 10 USDC en Ethereum',
    'Mode test. Payé : 10 USDC sur Ethereum',
    '测试模式：已付款：10 USDC（Ethereum）',
  ]);
});

test('a notice of test mode says so, and each names the integration', () => {
  const [, body] = bodies[0]!;
  const live = noticeOf(body, place, false);
  expect(live).toMatchObject({ title: 'Paid: 10 USDC on Ethereum', lines: ['order/7 #?', 'Corner shop'] });
  expect(noticeOf(body, { ...place, mode: 'test' }, true).title).toBe(
    'Test mode. First payment of the day: 10 USDC on Ethereum',
  );
});

test('a day has a line for each kind, with what was paid in each currency and the newest references', () => {
  const facts: DayFacts = {
    ...{ event_type: 'notice_day', integration_id: integrationId, mode: 'live' },
    counts: [
      {
        ...{ kind: 'paid', count: 3, references: ['order-2', 'order-3'] },
        totals: [
          { currency: 'PI', amount: '5' },
          { currency: 'USDC', amount: '25.5' },
        ],
      },
      { kind: 'failed', count: 0, totals: [], references: [] },
    ],
  };
  expect(noticeOf(JSON.stringify(facts), place, false)).toEqual({
    title: 'Your day',
    lines: ['Paid: 3 (5 PI, 25.5 USDC): order-2, order-3 and 1 more', 'Corner shop'],
    path: `i/${integrationId}/live/overview`,
  });
  const quiet = noticeOf(JSON.stringify({ ...facts, counts: [] }), place, false);
  expect(quiet.lines).toEqual(['Nothing happened.', 'Corner shop']);
});
