import type { Asset } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { BookRow } from './book-rows.ts';
import { type DirectRow, directLine } from './direct-rows.ts';
import type { RowValue } from './values.ts';

/** Plain-text accounting programs whose files are written here. */
export type JournalFormat = 'hledger' | 'beancount';

/** The months of a journal, in UTC; both are in it. */
export type Months = { first: string; last: string };

/** What the business had in one asset when the first month began, and when the last one ended; in units. */
export type JournalBalance = { asset: Asset; opening: bigint; closing: bigint };
export type ValuedRow = BookRow & { value: RowValue | null };
/** `value`: of a payment's transfer that of its parts, of a move that of what moved. */
export type ValuedDirectRow = DirectRow & { value: RowValue | null };

/** The account that stands against the business's money, by the cause of a line. */
const counterAccounts: Readonly<Record<string, string>> = {
  payment_settled: 'Income:Florin:Payments',
  payment_taken_back: 'Income:Florin:Payments',
  refund_taken: 'Income:Florin:Refunds',
  refund_given_back: 'Income:Florin:Refunds',
  payout: 'Equity:Florin:Payouts',
  payout_undone: 'Equity:Florin:Payouts',
  top_up: 'Equity:Florin:Top-ups',
  fund_user: 'Equity:Florin:Users',
  receivable_paid: 'Liabilities:Florin:Owed',
};
const feeAccount = 'Expenses:Florin:Fees';
const otherAccount = 'Equity:Florin:Other';
const openingAccount = 'Equity:Florin:Opening';

/** A name that is one part of an account's name in both formats. */
function partOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const [first = ''] = plain;
  return plain === '' ? 'Other' : first.toUpperCase() + plain.slice(1);
}

const accountOf =
  (parent: string) =>
  ({ network, code }: Asset): string =>
    `${parent}:${partOf(network)}:${partOf(code.toUpperCase())}`;
const assetAccount = accountOf('Assets:Florin');
/** What settles directly and is on the way, and what arrived at the merchant's own address. */
const directAccount = accountOf('Assets:Florin-Direct');
const ownWalletAccount = accountOf('Assets:Own-Wallet');

type Posting = { account: string; units: bigint; value: string | null };

/**
 * The parts of a journal in their order: its head, what each asset opens with, and then what `entry` and `closing` give.
 * Each entry balances in its currency and in its value. At the end each balance is asserted, to the unit. `direct`: what is on
 * the way to the merchant's own addresses.
 */
export function createJournal(
  format: JournalFormat,
  months: Months,
  balances: readonly JournalBalance[],
  direct: readonly JournalBalance[] = [],
) {
  const first = `${months.first}-01`;
  const [year = 0, number = 0] = months.last.split('-').map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  const write = format === 'hledger' ? hledgerEntry : beancountEntry;
  const byCode = new Map([...balances, ...direct].map(({ asset }) => [asset.code, asset]));
  const accounts = [
    ...balances.map((balance) => ({ ...balance, account: assetAccount(balance.asset) })),
    ...direct.map((balance) => ({ ...balance, account: directAccount(balance.asset) })),
  ];
  const assetOf = (code: string): Asset => {
    const asset = byCode.get(code);
    if (!asset) throw new Error(`The journal has no balance of ${code}`);
    return asset;
  };

  return {
    head(): string {
      const head = `; Florin, ${months.first} to ${months.last}: the lines of the business balance. Days are UTC.\n`;
      return format === 'hledger'
        ? `${head}\n`
        : `${head}\n${openings(first, [...accounts.map(({ account }) => account), ...direct.map(({ asset }) => ownWalletAccount(asset))])}\n`;
    },
    opening: (): string =>
      accounts
        .filter(({ opening }) => opening !== 0n)
        .map(({ account, asset, opening }) =>
          write({
            date: first,
            text: 'Opening balance',
            tags: [],
            asset,
            postings: [
              { account, units: opening, value: null },
              { account: openingAccount, units: -opening, value: null },
            ],
          }),
        )
        .join(''),
    entry(row: ValuedRow): string {
      const asset = assetOf(row.asset);
      const { value } = row;
      return write({
        date: row.created_at.toISOString().slice(0, 10),
        text: textOf(row),
        tags: tagsOf(row),
        asset,
        currency: value?.currency,
        postings: [
          { account: assetAccount(asset), units: row.net, value: value?.net ?? null },
          { account: feeAccount, units: row.fee, value: value?.fee ?? null },
          {
            account: counterAccounts[row.cause] ?? otherAccount,
            units: -row.gross,
            value: value?.gross ?? null,
          },
        ],
      });
    },
    directEntry: (row: ValuedDirectRow): string => write(directEntryOf(row, assetOf(row.asset))),
    closing: (): string =>
      accounts
        .map(({ account, asset, closing }) => {
          const amount = decimalOf(closing, asset.scale);
          return format === 'hledger'
            ? `${last} * Closing balance\n    ${account}  0 ${asset.currency} = ${amount} ${asset.currency}\n\n`
            : `${next} balance ${account}  ${amount} ~ 0 ${asset.currency}\n`;
        })
        .join(''),
  };
}

/** Beancount knows only accounts that are opened. */
function openings(date: string, own: readonly string[]): string {
  const accounts = new Set([
    ...own,
    ...Object.values(counterAccounts),
    ...[feeAccount, otherAccount, openingAccount],
  ]);
  return [...accounts].map((account) => `${date} open ${account}\n`).join('');
}

/**
 * What came in directly is income when it was paid, and on the way until it arrived. The host's part is a fee when it left;
 * what somebody gave to the splitter is other money.
 */
function directEntryOf(row: ValuedDirectRow, asset: Asset): Entry {
  const { target, moved, parts, value, arrived } = row;
  const counters = { merchant: ownWalletAccount(asset), host: feeAccount, given: otherAccount };
  const counter = target === null ? 'Income:Florin:Payments' : counters[target];
  const worth = (parts ? value?.gross : value?.net) ?? null;
  const line = directLine(row).replaceAll('_', ' ');
  const tags = [
    ['time', row.created_at.toISOString()],
    ['transfer', row.id],
    ['settlement', 'direct'],
    ['transaction', row.transaction],
    ['block', arrived?.block?.toString() ?? null],
  ];
  return {
    date: row.created_at.toISOString().slice(0, 10),
    text: [line.charAt(0).toUpperCase() + line.slice(1), row.payment_reference ?? row.address]
      .filter((each) => each !== null)
      .join(' '),
    tags: tags.filter((tag): tag is [string, string] => tag[1] !== null),
    asset,
    currency: value?.currency,
    postings: [
      { account: directAccount(asset), units: moved, value: worth },
      { account: counter, units: -moved, value: worth },
    ],
  };
}

function textOf({ cause, payment_reference, username, payout }: BookRow): string {
  const words = cause.replaceAll('_', ' ');
  const what = words.charAt(0).toUpperCase() + words.slice(1);
  return [what, payment_reference ?? payout ?? username].filter((each) => each !== null).join(' ');
}

const tagsOf = ({ id, transaction, refund, created_at }: BookRow): [string, string][] =>
  [
    ['time', created_at.toISOString()],
    ['transfer', id],
    ['refund', refund],
    ['transaction', transaction],
  ].filter((tag): tag is [string, string] => tag[1] !== null);

type Entry = {
  date: string;
  text: string;
  tags: [string, string][];
  asset: Asset;
  /** Of the values. */
  currency?: string | undefined;
  postings: Posting[];
};

/** The lines of postings that move something; a value is the whole of the posting, and written without its sign. */
function postingLines({ asset, currency, postings }: Entry, indent: string): string {
  return postings
    .filter(({ units }) => units !== 0n)
    .map(({ account, units, value }) => {
      const price = value === null ? '' : ` @@ ${value.replace('-', '')} ${currency}`;
      return `${indent}${account}  ${decimalOf(units, asset.scale)} ${asset.currency}${price}\n`;
    })
    .join('');
}

function hledgerEntry(entry: Entry): string {
  // A semicolon begins a comment, and a comma ends the value of a tag.
  const plain = (text: string) => text.replaceAll(/[;|,\r\n]/g, ' ');
  const tags = entry.tags.map(([name, value]) => `    ; ${name}: ${plain(value)}\n`).join('');
  return `${entry.date} * ${plain(entry.text)}\n${tags}${postingLines(entry, '    ')}\n`;
}

function beancountEntry(entry: Entry): string {
  const quoted = (text: string) => `"${text.replaceAll(/["\\\r\n]/g, ' ')}"`;
  const tags = entry.tags.map(([name, value]) => `  ${name}: ${quoted(value)}\n`).join('');
  return `${entry.date} * ${quoted(entry.text)}\n${tags}${postingLines(entry, '  ')}\n`;
}
