import { describe, expect, test } from 'vitest';
import { PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { formatOf } from '../format.ts';
import { LOCALES, type Locale, messagesOf } from '../locale.ts';
import { translator } from '../messages/translate.ts';
import { type Receipt, type ReceiptPart, receiptOf } from './receipt.ts';

const of = (view: CheckoutPayment, locale: Locale = 'en'): Receipt =>
  receiptOf({ view, t: translator(locale, messagesOf(locale)), format: formatOf(locale) });
const read = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/** The lines of a part, each with its value and what stands below. */
function linesOf(view: CheckoutPayment, kind: ReceiptPart['kind']): string[] {
  const part = of(view).parts.find((each) => each.kind === kind);
  return (part?.lines ?? []).map(({ name, value, notes }) =>
    read([name, value, ...notes.map(({ text }) => text)].filter((each) => each !== '').join(' | ')),
  );
}

const { completed } = PAYMENTS;
const [transfer] = completed.transfers;
const completedNames = (Object.keys(PAYMENTS) as PaymentName[]).filter(
  (name) => PAYMENTS[name].status === 'completed',
);

describe('a receipt', () => {
  test('has the letterhead, the reference, the times in UTC, who was paid and from where', () => {
    expect(of(completed).letterhead).toEqual({
      name: 'Acme Coffee Roasters',
      address: ['12 Roast Street', '10115 Berlin'],
      taxNumber: 'Tax number: DE 123456789',
    });
    expect(linesOf(completed, 'facts')).toEqual([
      'Reference | PAY_1K2M3N4P7QRSTVWXYZ0123456789',
      'Paid on | Nov 20, 2026, 5:59 PM UTC',
      'Created | Nov 20, 2026, 5:52 PM UTC',
      'Paid to | Acme Coffee Roasters',
      'Paid from | 0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    ]);
  });

  test('leaves out what is not known', () => {
    const { integration } = completed;
    const bare: CheckoutPayment = {
      ...completed,
      integration: { ...integration, letterhead: { address: null, taxNumber: null } },
      items: [],
      transfers: completed.transfers.map((each) => ({ ...each, sender: null, explorerUrl: null })),
    };
    const { letterhead, parts } = of(bare);
    expect(letterhead).toEqual({ name: 'Acme Coffee Roasters', address: [], taxNumber: null });
    expect(parts.map(({ kind }) => kind)).toEqual(['facts', 'sums', 'transfers']);
    expect(linesOf(bare, 'facts').join()).not.toContain('Paid from');
    expect(linesOf(bare, 'transfers')).toEqual([
      `Base | 25.50 USDC | Nov 20, 2026, 5:58 PM UTC | ${transfer?.transaction}`,
    ]);
  });

  test('has the goods with their totals, the sum, and each transfer with its hash and its explorer', () => {
    expect(linesOf(completed, 'items')).toEqual([
      'Ethiopia Guji, 250 g | 12.50 USDC',
      'Paper filters | 13.00 USDC | × 2 · 6.50 USDC each',
    ]);
    expect(linesOf(completed, 'sums')).toEqual(['Total | 25.50 USDC', 'Paid | 25.50 USDC']);
    expect(linesOf(completed, 'transfers')).toEqual([
      `Base | 25.50 USDC | Nov 20, 2026, 5:58 PM UTC | ${transfer?.transaction} | Show in the block explorer (explorer.example)`,
    ]);
  });

  test('of a price has the total in its money, and what was paid', () => {
    expect(linesOf(PAYMENTS['priced-completed'], 'sums')).toEqual([
      'Total | 49.90 EUR',
      'Paid | 53.22 USDC',
      'Rate | 1 USDC = 0.937577 EUR',
    ]);
    expect(linesOf(PAYMENTS['priced-discount-paid'], 'sums')[0]).toBe(
      'Total | 49.90 EUR | 2% discount for paying with crypto',
    );
  });

  test('has the fee that the customer paid', () => {
    const fee = { ...completed, feePayer: 'customer', amountDue: '25.755' } as const;
    const all = { ...fee, amountReceived: '25.755' };
    expect(linesOf(all, 'sums')).toEqual([
      'Price | 25.50 USDC',
      'Fee | 0.255 USDC',
      'Total | 25.755 USDC',
      'Paid | 25.755 USDC',
    ]);
  });

  test('says what came less or more, and what is owed', () => {
    expect(linesOf(PAYMENTS['completed-short'], 'sums')).toEqual([
      'Total | 25.50 USDC',
      'Paid | 25.10 USDC',
      'Received | 25.10 USDC',
    ]);
    expect(linesOf(PAYMENTS['completed-owed'], 'sums')).toEqual([
      'Total | 25.50 USDC',
      'Paid | 25.50 USDC',
      'Received | 30.00 USDC',
      'Owed to you | 4.50 USDC',
    ]);
  });

  test('has each account that paid once, and names a wallet', () => {
    const transfers = completed.transfers.flatMap((each) => [
      ...[each, each, { ...each, sender: '0xother' }],
      { ...each, sender: null, network: null },
    ]);
    const paid = { ...completed, transfers };
    expect(linesOf(paid, 'facts').at(-1)).toBe(
      'Paid from | 0x71C7656EC7ab88b098defB751B7401B5f6d8976F | 0xother | Florin wallet',
    );
    expect(linesOf(paid, 'transfers').at(-1)).toMatch(/^Florin wallet \| 25.50 USDC \| Nov 20/);
  });

  test('leaves out transfers that left their chain, and says of others that they do not count', () => {
    const [gone] = PAYMENTS['part-gone'].transfers;
    const transfers = [...PAYMENTS['completed-wrong-token'].transfers, ...(gone ? [gone] : [])];
    expect(linesOf({ ...completed, transfers }, 'transfers').map((each) => each.split(' | ')[3])).toEqual([
      transfer?.transaction,
      'Another currency',
    ]);
  });

  test('has each refund with its state, its worth, and where it went', () => {
    const [waits, , sending, sent] = linesOf(PAYMENTS['completed-refunds'], 'refunds');
    const to = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
    expect(waits).toBe(`Base | 12.25 USDC | Waits until it is approved | ${to}`);
    expect(sending).toContain(`${to} | Memo: 10234567 | 0x5a1f`);
    expect(sent).toMatch(/^Base \| 12.25 USDC \| Sent .*Show in the block explorer \(explorer.example\)$/);
    expect(linesOf(PAYMENTS['priced-refunds'], 'refunds')[0]).toContain(
      '10.66 USDC | Waits to be sent | about 9.99 EUR',
    );
  });

  test('of an invoice, whose id whoever may pay has, shows no refunds', () => {
    expect(linesOf({ ...PAYMENTS['completed-refunds'], paysOnly: true }, 'refunds')).toEqual([]);
  });
});

test('an address of an explorer that is no web address is no link', () => {
  const transfers = completed.transfers.map((each) => ({ ...each, explorerUrl: 'javascript:alert(1)' }));
  expect(JSON.stringify(of({ ...completed, transfers }))).not.toContain('javascript');
});

test('text of a merchant stands on one line, and turns nothing around', () => {
  const name = 'Ink\r\n\r\nTotal: 0.00 USDC\u202e\u2066';
  const { parts, letterhead } = of({
    ...completed,
    integration: { ...completed.integration, name },
    items: [{ name, price: 1, quantity: 1 }],
  });
  expect(letterhead.name).toBe('Ink Total: 0.00 USDC');
  expect(parts.find(({ kind }) => kind === 'items')?.lines[0]?.name).toBe('Ink Total: 0.00 USDC');
});

test.each(completedNames)(
  'the receipt of %s has words in every language, and no placeholder is left',
  (name) => {
    for (const locale of LOCALES) {
      const texts = JSON.stringify(of(PAYMENTS[name], locale));
      expect(texts).not.toMatch(/\{\w+\}/);
    }
  },
);
