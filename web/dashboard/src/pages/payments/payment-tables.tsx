import type { ReactNode } from 'react';
import { amountText } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Id } from '../../ui/display/code.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { amountColumn } from '../../ui/list/amount-column.tsx';
import type { LedgerLine, PaymentDetail, Transfer } from './queries.ts';
import { causeWords } from './words.ts';

const stateWords = { seen: t('Seen'), final: t('Final'), gone: t('Left its chain') } as const;
const stateTones = { seen: 'waiting', final: 'paid', gone: 'lost' } as const;

const transferColumns: readonly Column<Transfer>[] = [
  amountColumn(),
  {
    key: 'state',
    head: t('State'),
    cell: ({ state, confirmations, needed, late, counts, own_address }) => (
      <span className="flex gap-1.5">
        <Badge tone={stateTones[state]}>
          {state === 'seen'
            ? t('{confirmations} of {needed} confirmations', { confirmations, needed })
            : stateWords[state]}
        </Badge>
        {late && <Badge tone="accent">{t('Late')}</Badge>}
        {!counts && <Badge tone="lost">{t('Other currency')}</Badge>}
        {own_address !== null && <Badge tone="quiet">{t('To your own address')}</Badge>}
      </span>
    ),
  },
  { key: 'seen', head: t('Seen'), cell: ({ seen_at }) => <Time at={seen_at} /> },
  {
    key: 'transaction',
    head: t('Transaction'),
    cell: ({ transaction, transaction_url }) => (
      <Id text={transaction} what={t('transaction hash')} href={transaction_url} />
    ),
  },
  {
    key: 'sender',
    head: t('From'),
    cell: ({ sender, sender_url }) =>
      sender === null ? (
        <span className="text-quiet">–</span>
      ) : (
        <Id text={sender} what={t("sender's address")} href={sender_url} />
      ),
  },
];

/** What arrived for the payment. */
export function Transfers({ transfers }: { transfers: readonly Transfer[] }): ReactNode {
  if (transfers.length === 0) return null;
  return (
    <Section title={t('Transfers')}>
      <Table
        caption={t('Transfers of this payment')}
        columns={transferColumns}
        rows={transfers}
        rowKey={({ transaction, seen_at, asset }) => `${transaction} ${asset} ${seen_at}`}
      />
    </Section>
  );
}

type Item = NonNullable<PaymentDetail['item_list']>['items'][number] & { index: number };

const itemColumns: readonly Column<Item>[] = [
  { key: 'name', head: t('Item'), grow: true, cell: ({ name }) => name },
  { key: 'quantity', head: t('Quantity'), align: 'end', cell: ({ quantity }) => String(quantity) },
  { key: 'price', head: t('Price'), align: 'end', cell: ({ price }) => amountText(String(price)) },
];

/** What is bought, as the shop named it. */
export function Items({ payment: { item_list } }: { payment: PaymentDetail }): ReactNode {
  if (!item_list || item_list.items.length === 0) return null;
  return (
    <Section title={t('Items')}>
      <Table
        caption={t('Items of this payment')}
        columns={itemColumns}
        rows={item_list.items.map((item, index) => ({ ...item, index }))}
        rowKey={({ index }) => String(index)}
      />
    </Section>
  );
}

const accountWords: Record<string, string> = {
  external: t('the chain'),
  suspense: t('money not yet settled'),
  business: t('your balance'),
  fees: 'fees',
  payable: t('owed to the customer'),
  receivable: t('owed by you'),
  direct: t('your own wallet'),
  user: t("a user's wallet"),
};
const accountWord = (kind: string): string => accountWords[kind] ?? kind;

/** The two accounts of a line. A sweep moves money between two addresses of the operator. */
function wayWords({ cause, from, to }: LedgerLine): string {
  if (cause === 'payment_swept') return t('its address → the treasury');
  if (cause === 'payment_sweep_undone') return t('the treasury → its address');
  // Only an unmatched deposit was in another suspense account before.
  if (from === 'suspense' && to === 'suspense') return t('unmatched deposit → money not yet settled');
  return `${accountWord(from)} → ${accountWord(to)}`;
}

const ledgerColumns: readonly Column<LedgerLine>[] = [
  {
    key: 'cause',
    head: t('Booking'),
    cell: ({ cause }) => <span className="whitespace-nowrap">{causeWords(cause)}</span>,
  },
  amountColumn(),
  {
    key: 'way',
    head: t('From and to'),
    cell: (line) => <span className="whitespace-nowrap text-quiet">{wayWords(line)}</span>,
  },
  { key: 'at', head: t('Booked'), cell: ({ at }) => <Time at={at} /> },
];

/** The ledger's lines of this payment. */
export function Ledger({ lines }: { lines: readonly LedgerLine[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <Section title={t('Ledger')}>
      <Table
        caption={t('Ledger lines of this payment')}
        columns={ledgerColumns}
        rows={lines}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}
