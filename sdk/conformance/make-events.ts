import type { EventInput } from '../../gateway/src/webhooks/events/body.ts';
import { disabledBody, eventBody, payoutBody } from '../../gateway/src/webhooks/events/body.ts';

/** The time of all events. */
export const at = new Date('2026-11-20T18:00:00Z');

const integrationId = '019aa1d0-11aa-7aaa-8bbb-222233334444' as EventInput['integrationId'];

/** What is hard to write as JSON in the same way. */
const texts = [
  'customer-7',
  'Zoë & Søn <shop> "7" \\ / it’s',
  '🪙 漢字 \u2028\u2029\u007f',
  'tab\tline\nbell\u0007',
  '',
  'é',
  "</script>&amp;'",
];
const amounts = [25.5, 0.0000001, 1e-6, 25, 123456789.123456, 0.1, 1e15, 99.99, 7];

const paid = { asset: 'pi', amount: '12.5', fee: '0.125', rate: '0.8' };
const refund = { id: '019aa1d2-5555-7e00-8000-000000000001', asset: 'usdc-base', amount: '5' };

/** An event id for each number. */
export const idOf = (index: number): string => `019aa1d2-9b1c-7d22-8f0a-${`${index}`.padStart(12, '0')}`;

/** The text of a genuine webhook, another for each number: as the gateway itself writes it. */
export function eventOf(index: number): { id: string; body: string } {
  const id = idOf(index);
  const kind = index % 8;
  if (kind === 6) return { id, body: payout(id, index) };
  if (kind === 7) return { id, body: disabled(id) };
  const text = texts[index % texts.length] ?? '';
  const base: EventInput = {
    integrationId,
    mode: 'test',
    type: 'payment_completed',
    sequence: 1,
    at,
    payment: {
      id: '019aa1d2-6c0e-7b3a-9f0e-5b1d2c3a4e5f',
      reference: `ORDER_${index}`,
      currency: kind === 2 ? 'EUR' : 'USDC',
      amount: amounts[index % amounts.length] ?? 1,
      status: 'completed',
      serviceFee: 0.255,
      customerEmail: index % 3 === 0 ? 'ada@example.com' : null,
      customerReference: text,
    },
  };
  return { id, body: eventBody(id, variantOf(base, kind)) };
}

function variantOf(base: EventInput, kind: number): EventInput {
  const short = { ...base.payment, shortAmount: '25.4' };
  if (kind === 1) return { ...base, payment: short };
  if (kind === 2) return { ...base, paid, payment: short };
  if (kind === 3) return { ...base, type: 'payment_refunded', refund };
  if (kind === 4) return { ...base, type: 'payment_failed', payment: { ...base.payment, status: 'failed' } };
  return base;
}

function payout(id: string, index: number): string {
  return payoutBody(id, {
    integrationId,
    mode: 'test',
    type: 'payout_completed',
    sequence: 2,
    at,
    payout: {
      id: '019aa1d2-7c0e-7b3a-9f0e-5b1d2c3a4e60',
      reference: index % 2 === 0 ? null : `payroll-${index}`,
      purpose: 'merchant_payout',
      asset: 'usdc-base',
      amount: '120',
      fee: '0',
      to: '0x52908400098527886E0F7030069857D2E4169EE7',
      memo: null,
      status: 'completed',
      transaction: '0xab',
    },
  });
}

function disabled(id: string): string {
  const endpoint = {
    id: '019aa1d1-31bc-7c11-9c1d-0a1b2c3d4e5f',
    url: 'https://shop.example/webhooks?a=1&b=2',
    reason: 'Every attempt failed for 7 days',
    failingSince: at,
  };
  return disabledBody(id, { integrationId, endpoint, at });
}
