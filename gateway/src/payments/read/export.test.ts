import { once } from 'node:events';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../../../test/support/api.ts';
import { type OpenConsole, openConsole, password } from '../../../test/support/console.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';
import { createAssets, currencies, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { metaTerms } from '../create/meta-terms.ts';
import { statuses } from '../create/schema.ts';
import { type Unusual, unusuals } from '../payment/payment.ts';
import { createExporter } from './export.ts';

// Random payments, and random filters over them: what the list walks through, what both exports hold, and what a
// plain filter in memory keeps must be the same.

type Known = {
  id: string;
  reference: string;
  status: string;
  currency: (typeof currencies)[number];
  units: bigint;
  email: string | null;
  customer: string | null;
  note: string | null;
  order: string | null;
  createdAt: number;
  unusual: Unusual[];
};

const start = Date.UTC(2026, 0, 1);
const count = 400;
const awkward = ['=1+1', '+1', '-1', '@x', '\tx', 'a,b', 'a"b', 'a\r\nb', 'ö€🙂', "'quoted", ' x '];
const emails = ['ada@example.com', 'Ada@Example.com', 'adam@example.org', 'ben@example.com', null];
const customers = ['c1', 'c2', 'ada@example.com', null];

let app: RunningApp;
let people: OpenConsole;
let owner: Api;
let all: Known[];

const pick = <T>(list: readonly T[], random: number): T => list[Math.floor(random * list.length)]!;

function madeUp(index: number): Known {
  const r = (salt: number): number => ((index * 7919 + salt * 104_729 + index * index * 31) % 1009) / 1009;
  const currency = pick(currencies, r(1));
  return {
    id: newId(new Date(start)),
    reference: `export-${index}`,
    status: pick(statuses, r(2)),
    currency,
    units: BigInt(1 + Math.floor(r(3) * 400)) * 10n ** BigInt(currencyScale[currency] - 2),
    email: pick(emails, r(4)),
    customer: pick(customers, r(5)),
    note: pick([...awkward, null], r(6)),
    order: pick(['A-1', 'A-2', '77', null], r(7)),
    // Few different times, so that a page often ends among payments of the same one.
    createdAt: start + Math.floor(r(8) * 40) * 60_000,
    unusual: unusuals.filter((_, n) => r(9 + n) < 0.2),
  };
}

beforeAll(async () => {
  app = await startApp();
  people = await openConsole(app);
  owner = await people.as('finance');
  const mode = { integrationId: app.integrationId, mode: 'test' } as const;
  all = Array.from({ length: count }, (_, index) => madeUp(index)).sort(
    (one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
  );
  const rows = all.map((known) => ({
    ...known,
    units: undefined,
    amount: known.units.toString(),
    created_at: new Date(known.createdAt),
    meta_data: known.order && `{"order":"${known.order}"}`,
    terms: known.order && metaTerms(mode, `{"order":"${known.order}"}`),
    due_at: known.status === 'unlinked' ? new Date(start + 1e12) : null,
    late: known.unusual.includes('late'),
    part_paid: known.unusual.includes('part_paid'),
    overpaid: known.unusual.includes('overpaid'),
  }));
  await app.db.query(
    `INSERT INTO payments (id, reference, token, integration_id, mode, status, payment_type, currency, amount, fee,
       fee_payer, amount_due, customer_email, customer_reference, payment_note, meta_data, meta_terms, deadline,
       deadline_seconds, late_window_seconds, due_at, is_late, is_part_paid, is_overpaid, created_at, updated_at)
     SELECT id, reference, 'secret', $1, 'test', status, 'deposit', currency, amount, 0, 'merchant', amount, email,
       customer, note, meta_data, terms, created_at, 600, 0, due_at, late, part_paid, overpaid, created_at, created_at
     FROM json_to_recordset($2) AS t (id uuid, reference text, status text, currency text, amount numeric, email text,
       customer text, note text, meta_data text, terms bigint[], created_at timestamptz, due_at timestamptz,
       late boolean, part_paid boolean, overpaid boolean)`,
    [app.integrationId, JSON.stringify(rows)],
  );
});

type Filter = {
  status?: string[];
  currency?: string[];
  min_amount?: string;
  max_amount?: string;
  from?: string;
  to?: string;
  customer?: string;
  unusual?: Unusual;
  q?: string;
};

const amount = fc.integer({ min: 1, max: 450 }).map((cents) => decimalOf(BigInt(cents), 2));
const time = fc
  .integer({ min: -5, max: 45 })
  .map((minute) => new Date(start + minute * 60_000).toISOString());
const filters: fc.Arbitrary<Filter> = fc.record(
  {
    status: fc.uniqueArray(fc.constantFrom(...statuses), { minLength: 1, maxLength: 4 }),
    currency: fc.uniqueArray(fc.constantFrom(...currencies), { minLength: 1, maxLength: 3 }),
    min_amount: amount,
    max_amount: amount,
    from: time,
    to: time,
    customer: fc.constantFrom('c1', 'c2', 'ADA@example.com', 'nobody'),
    unusual: fc.constantFrom(...unusuals),
    q: fc.constantFrom('ada', 'ad', 'ada@example.com', 'c2', 'a-1', '77', 'export-7', 'nothing'),
  },
  { requiredKeys: [] },
);

function keeps(filter: Filter, known: Known): boolean {
  const { email, customer, units, currency } = known;
  // In cents, which every amount here is.
  const cents = units / 10n ** BigInt(currencyScale[currency] - 2);
  const centsOf = (text: string): bigint => BigInt(Math.round(Number(text) * 100));
  const mail = email?.toLowerCase();
  const matches = (q: string): boolean =>
    known.reference === q ||
    customer === q ||
    mail === q ||
    (q.length >= 3 && mail?.startsWith(q)) ||
    known.order?.toLowerCase() === q;
  return (
    (filter.status?.includes(known.status) ?? true) &&
    (filter.currency?.includes(currency) ?? true) &&
    (filter.min_amount === undefined || cents >= centsOf(filter.min_amount)) &&
    (filter.max_amount === undefined || cents <= centsOf(filter.max_amount)) &&
    (filter.from === undefined || known.createdAt >= Date.parse(filter.from)) &&
    (filter.to === undefined || known.createdAt < Date.parse(filter.to)) &&
    (filter.customer === undefined ||
      customer === filter.customer ||
      mail === filter.customer.toLowerCase()) &&
    (filter.unusual === undefined || known.unusual.includes(filter.unusual)) &&
    (filter.q === undefined || matches(filter.q))
  );
}

const queryOf = (filter: Filter): URLSearchParams =>
  new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));

type Page = { items: { payment_reference: string }[]; next_cursor: string | null };

async function walked(filter: Filter, limit: number): Promise<string[]> {
  const references: string[] = [];
  const query = queryOf(filter);
  query.set('limit', String(limit));
  for (;;) {
    const { body } = await owner<Page>('GET', `${people.test}/payments?${query}`);
    references.push(...body.data.items.map((item) => item.payment_reference));
    if (body.data.next_cursor === null) return references;
    query.set('cursor', body.data.next_cursor);
  }
}

type Cells = Record<string, string | null>;

async function exportOf(
  filter: Filter,
  format: 'csv' | 'json',
): Promise<{ rows: Cells[]; total: string | null }> {
  const query = queryOf(filter);
  query.set('format', format);
  const { text, headers } = await owner('GET', `${people.test}/export/payments?${query}`);
  const rows: Cells[] = format === 'csv' ? parseCsv(text) : JSON.parse(text);
  return { rows, total: headers.get('x-total-count') };
}

/** RFC 4180, by its grammar. */
function parseCsv(text: string): Cells[] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(cell)) {
    lines.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  const [head, ...body] = lines.slice(0, -1);
  return body.map((line) => Object.fromEntries(head!.map((name, index) => [name, line[index]!])));
}

describe('the list and its exports', () => {
  test('hold exactly what a plain filter keeps, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 100 }), async (filter, limit) => {
        const wanted = all.filter((known) => keeps(filter, known)).map(({ reference }) => reference);
        const [list, csv, json] = await Promise.all([
          walked(filter, Math.max(limit, Math.ceil(wanted.length / 10))),
          exportOf(filter, 'csv'),
          exportOf(filter, 'json'),
        ]);
        expect(list).toEqual(wanted);
        expect(csv.rows.map((row) => row.payment_reference)).toEqual(wanted);
        expect(json.rows.map((row) => row.payment_reference)).toEqual(wanted);
        expect([csv.total, json.total]).toEqual([`${wanted.length}`, `${wanted.length}`]);
      }),
      { numRuns: process.env.SOAK ? 500 : 40 },
    );
  }, 900_000);

  test('have the same columns, and every value as it is', async () => {
    const [csv, json] = await Promise.all([exportOf({}, 'csv'), exportOf({}, 'json')]);
    for (const [index, row] of json.rows.entries()) {
      const known = all[index]!;
      expect(row).toMatchObject({
        amount: decimalOf(known.units, currencyScale[known.currency]),
        created_at: new Date(known.createdAt).toISOString(),
        customer_email: known.email,
        payment_note: known.note,
        unusual: known.unusual.join(' '),
      });
      const guarded = Object.entries(row).map(([name, value]) => [name, guard(value ?? '')]);
      expect(csv.rows[index]).toEqual(Object.fromEntries(guarded));
    }
    expect(JSON.stringify(json.rows)).not.toContain('secret');
  });
});

/** What a spreadsheet would run is text; a plain number may stay one. */
function guard(value: string): string {
  return /^[=+\-@\t\r]/.test(value) && !/^-?\d+$/.test(value) ? `'${value}` : value;
}

describe('an export', () => {
  test('leaves room for those of others, however many one business begins', async () => {
    const startExport = createExporter(createAssets());
    const own = { integrationId: app.integrationId, mode: 'test' } as const;
    const other = { ...own, integrationId: newId<'integration'>() };
    const started = await Promise.all([1, 2, 3].map(() => startExport(app.db, own, {}, 'csv')));
    await expect(startExport(app.db, own, {}, 'csv')).rejects.toMatchObject({
      row: { slug: 'too_many_exports' },
    });
    started.push(await startExport(app.db, other, {}, 'csv'));
    await expect(startExport(app.db, other, {}, 'csv')).rejects.toThrow('Too many exports');
    await Promise.all(started.map(({ stream }) => once(stream.destroy(), 'close')));
    const again = await startExport(app.db, own, {}, 'csv');
    await once(again.stream.destroy(), 'close');
  });

  test('is refused to those who may not, and for a format that there is not', async () => {
    const address = `${people.test}/export/payments`;
    const support = await people.as('support');
    expect((await support('GET', `${address}?format=csv`)).body.error).toBe('role_may_not');
    expect((await owner('GET', `${address}?format=xls`)).body.message).toMatch(/^format is invalid/);
    expect((await owner('GET', address)).status).toBe(400);
  });

  test('that its client leaves gives its connection back', async () => {
    const cookie = await sessionOf();
    for (let time = 0; time < 12; time++) {
      const leaving = new AbortController();
      const start = () =>
        fetch(`${app.baseUrl}${people.test}/export/payments?format=json`, {
          headers: { cookie },
          signal: leaving.signal,
        });
      let response = await start();
      // Those that were left are still being put away.
      while (response.status === 429) response = await start();
      expect(response.status).toBe(200);
      leaving.abort();
      await response.text().catch(() => {});
    }
    // So is the last of them.
    await expect.poll(async () => (await exportOf({}, 'json')).rows).toHaveLength(count);
  });
});

async function sessionOf(): Promise<string> {
  const response = await fetch(`${app.baseUrl}/console/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.baseUrl },
    body: JSON.stringify({ email: 'finance@example.com', password }),
  });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
