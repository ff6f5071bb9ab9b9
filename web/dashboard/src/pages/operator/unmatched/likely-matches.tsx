import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Badge, type Tone } from '../../../ui/display/badge.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Evidence } from './evidence.tsx';
import { type DepositMatch, useDepositMatches } from './queries.ts';

const reasons: Record<DepositMatch['because'][number], { tone: Tone; words: string }> = {
  claim: { tone: 'accent', words: t('Claimed by its customer') },
  account: { tone: 'paid', words: t('Paid from the same account') },
  memo: { tone: 'paid', words: t('Similar memo') },
  amount: { tone: 'quiet', words: t('Similar amount') },
};

/** The payments that a deposit is likely for; each can be picked. */
export function DepositMatches({
  deposit,
  onPick,
}: {
  deposit: string;
  onPick: (reference: string) => void;
}): ReactNode {
  const matches = useDepositMatches(deposit);
  const columns: Column<DepositMatch>[] = [
    {
      key: 'reference',
      head: t('Payment'),
      grow: true,
      className: 'min-w-32',
      cell: (match) => (
        <span className="grid gap-1 py-1.5 whitespace-normal">
          <PaymentLink integration={match.integration_id} reference={match.reference} />
          <Money amount={match.amount_due} currency={match.currency} className="sm:hidden" />
          <span className="flex flex-wrap gap-1">
            {match.because.map((reason) => (
              <Badge key={reason} tone={reasons[reason].tone}>
                {reasons[reason].words}
              </Badge>
            ))}
            {match.is_later && <Badge tone="waiting">{t('Created after it arrived')}</Badge>}
          </span>
          <Evidence match={match} />
        </span>
      ),
    },
    {
      key: 'integration',
      head: t('Integration'),
      from: 'sm',
      cell: ({ integration_name }) => integration_name,
    },
    {
      key: 'due',
      head: t('Due'),
      from: 'sm',
      align: 'end',
      amounts: ({ amount_due }) => [amount_due],
      cell: ({ amount_due, currency }) => <Money amount={amount_due} currency={currency} />,
    },
    {
      key: 'pick',
      head: <span className="sr-only">{t('Assign')}</span>,
      align: 'end',
      cell: ({ reference }) => (
        <Button
          size="small"
          onClick={() => onPick(reference)}
          aria-label={t('Assign to {reference}', { reference })}
        >
          {t('Assign')}
        </Button>
      ),
    },
  ];
  return (
    <Loaded query={matches} rows={2}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="text-sm text-quiet">
            {t(
              'No payment is similar to this deposit. Ask the customer who writes to you for the reference of their payment.',
            )}
          </p>
        ) : (
          <Table caption={t('Likely matches')} columns={columns} rows={items} rowKey={({ id }) => id} />
        )
      }
    </Loaded>
  );
}
