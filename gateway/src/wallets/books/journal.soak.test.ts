import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import type { Asset } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import { rateScale } from '../../money/rates.ts';
import { createJournal, type JournalFormat, type ValuedRow } from './journal.ts';
import { valueAt } from './values.ts';

const folder = await testFolder();
const runs = process.env.SOAK ? 60 : 2;

const assets: Asset[] = [
  { code: 'pi', currency: 'PI', scale: 7, network: 'Pi Network' },
  { code: 'usdt-bep20', currency: 'USDT', scale: 18, network: 'BNB Smart Chain' },
  { code: 'usdc-odd', currency: 'USDC', scale: 6, network: '«Öst»; "Chain" | 2' },
  { code: 'usdc-other', currency: 'USDC', scale: 0, network: '链' },
];

const causes = ['payment_settled', 'refund_taken', 'payout', 'payout_fee', 'top_up', 'something_new'];

const row = fc.record({
  asset: fc.constantFrom(...assets),
  cause: fc.constantFrom(...causes),
  net: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
  fee: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  day: fc.integer({ min: 1, max: 30 }),
  reference: fc.option(fc.stringMatching(/^[A-Za-z0-9._:@~-]{1,40}$/)),
  rate: fc.option(
    fc.record({
      priceCurrency: fc.constantFrom('EUR', 'JPY', 'KWD').map((code) => code as PriceCurrency),
      rate: fc.bigInt({ min: 1n, max: 10n ** 18n }).map((units) => decimalOf(units, rateScale)),
    }),
  ),
});
type Drawn = typeof row extends fc.Arbitrary<infer Value> ? Value : never;

/** Drawn with 18 decimals: Beancount counts with 28 digits. */
const rowOf = ({ asset, cause, day, reference, rate, ...drawn }: Drawn): ValuedRow => {
  const [net, fee] = [drawn.net, drawn.fee].map((units) => units / 10n ** BigInt(18 - asset.scale)) as [
    bigint,
    bigint,
  ];
  return {
    ...{
      asset: asset.code,
      cause,
      cause_id: null,
      net,
      fee,
      gross: net + fee,
      balance: 0n,
      id: crypto.randomUUID(),
    },
    ...{ payment_reference: reference, username: null, refund: null, payout: null, transaction: reference },
    created_at: new Date(Date.UTC(2026, 10, day, 23, 59)),
    value: rate && valueAt(rate, { units: net, fee }, asset.scale),
  };
};

/** The whole file of a month with these rows. */
function fileOf(format: JournalFormat, rows: ValuedRow[], opening: bigint): string {
  const balances = assets.map((asset) => {
    const own = rows.filter((each) => each.asset === asset.code);
    return { asset, opening, closing: own.reduce((sum, { net }) => sum + net, opening) };
  });
  const journal = createJournal(format, { first: '2026-11', last: '2026-11' }, balances);
  return [
    journal.head(),
    journal.opening(),
    ...rows.map((each) => journal.entry(each)),
    journal.closing(),
  ].join('');
}

describe.each([
  ['hledger', 'hledger', ['check', '-f']],
  ['beancount', 'bean-check', []],
] as const)('a journal for %s', (format, program, args) => {
  const path = join(folder, `${format}.txt`);
  const isInstalled = spawnSync(program, ['--version']).error === undefined;
  const check = (text: string): string => {
    writeFileSync(path, text);
    const { stdout, stderr } = spawnSync(program, [...args, path], { encoding: 'utf8' });
    return stdout + stderr;
  };

  test.runIf(isInstalled)(`is read by ${program} without a complaint, whatever its lines are`, () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 60 }),
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        (drawn, opening) => {
          expect(check(fileOf(format, drawn.map(rowOf), opening))).toBe('');
        },
      ),
      { numRuns: runs, endOnFailure: runs < 10 },
    );
  });

  test.runIf(isInstalled)(`of which a line is missing is refused by ${program}`, () => {
    const drawn = fc.sample(row, 3).map((each) => ({ ...each, net: 10n ** 20n }));
    const text = fileOf(format, drawn.map(rowOf), 0n);
    const entries = text.split('\n\n');
    const first = entries.findIndex((entry) => entry.includes('transfer:'));
    const cut = entries.toSpliced(first, 1).join('\n\n');
    expect(cut).not.toBe(text);
    expect(check(cut)).not.toBe('');
  });
});
