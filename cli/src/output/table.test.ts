import { expect, test } from 'vitest';
import { paymentColumns } from '../merchant/payment-text.ts';
import { createTable } from './table.ts';

type Row = { name: string; note: string };
const columns = [
  { title: 'name', of: ({ name }: Row) => name },
  { title: 'note', of: ({ note }: Row) => note, takesRest: true },
];

function tableIn(lineWidth: number, rows: readonly Row[]): string {
  const table = createTable(columns, lineWidth);
  const lines = table.lines(rows);
  return table.head() + lines;
}

test('the last column takes the rest of the line, and is cut where that is less', () => {
  const rows = [
    { name: 'short', note: 'a note of thirty-three characters' },
    { name: 'longer', note: 'fits' },
  ];
  expect(tableIn(40, rows)).toBe(
    'name    note\nshort   a note of thirty-three characters\nlonger  fits\n'.replace(
      'thirty-three characters',
      'thirty-three characte…',
    ),
  );
  expect(tableIn(41, rows)).toContain('thirty-three characters\n');
});

test('it is left out where not even its title fits', () => {
  expect(tableIn(9, [{ name: 'short', note: 'a note' }])).toBe('name\nshort\n');
});

test('a list of payments fits a hundred columns', () => {
  const row = {
    id: '0',
    payment_reference: `PAY_${'0'.repeat(28)}`,
    amount: '12345.67',
    currency: 'USDC',
    customer_reference: null,
    customer_email: 'a-customer-with-a-long-name@a-mail-server-with-a-long-name.example',
    created_at: '2026-11-21T14:03:22.123Z',
  };
  for (const [payment_status, reason, shown] of [
    ['completed', null, 'a-customer-with-a-l'],
    ['in-appeal', 'paid_after_end', ''],
  ] as const) {
    const table = createTable(paymentColumns, 100);
    const [head = '', line = ''] = [{ ...row, payment_status, reason }]
      .map((payment) => {
        const lines = table.lines([payment as never]);
        return table.head() + lines;
      })[0]!
      .split('\n');
    expect(head.length).toBeLessThanOrEqual(100);
    expect(line.length).toBeLessThanOrEqual(100);
    expect(line).toContain(row.payment_reference);
    expect(line).toContain(shown);
  }
});
