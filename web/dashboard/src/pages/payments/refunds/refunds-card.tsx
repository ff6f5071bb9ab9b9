import { Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useMay, useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Copy } from '../../../ui/button/copy.tsx';
import { Badge, type Tone } from '../../../ui/display/badge.tsx';
import { Id } from '../../../ui/display/code.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import { SendTransfer } from '../../own-wallet/send-transfer.tsx';
import { type ConsoleRefund, useRefunds, useRefundsPath } from './queries.ts';
import { RefundDialog } from './refund-dialog.tsx';

const looks: Record<ConsoleRefund['status'], { word: string; tone: Tone }> = {
  awaiting_destination: { word: t('Waits for the customer'), tone: 'waiting' },
  awaiting_approval: { word: t('Awaiting approval'), tone: 'waiting' },
  awaiting_transfer: { word: t('Waits for your transfer'), tone: 'waiting' },
  queued: { word: t('Queued'), tone: 'quiet' },
  sending: { word: t('Sending'), tone: 'waiting' },
  completed: { word: t('Completed'), tone: 'paid' },
  cancelled: { word: t('Cancelled'), tone: 'quiet' },
  rejected: { word: t('Rejected'), tone: 'lost' },
  failed: { word: t('Failed'), tone: 'lost' },
};
const cancellable: readonly ConsoleRefund['status'][] = [
  'awaiting_destination',
  'awaiting_approval',
  'awaiting_transfer',
  'queued',
];

/** The refunds of a payment, and making one; nothing where there is nothing to refund. */
export function RefundsCard(props: { reference: string; customerEmail: string | null }): ReactNode {
  const { reference, customerEmail } = props;
  const may = useMay('make payouts');
  const { data: options } = useRefunds(reference);
  const [open, setOpen] = useState(false);
  if (!options || (options.refunds.length === 0 && (options.items.length === 0 || !may))) return null;
  return (
    <Card
      title={t('Refunds')}
      actions={
        may &&
        options.items.length > 0 && (
          <Button onClick={() => setOpen(true)}>
            <Undo2 size={16} aria-hidden /> {t('Refund')}
          </Button>
        )
      }
    >
      {options.refunds.length === 0 ? (
        <p className="text-sm text-quiet">{t('Nothing was refunded.')}</p>
      ) : (
        <ul className="grid gap-3 text-sm">
          {options.refunds.map((refund) => (
            <Refund key={refund.id} {...{ reference, customerEmail, refund, may }} />
          ))}
        </ul>
      )}
      {open && <RefundDialog reference={reference} options={options} onClose={() => setOpen(false)} />}
    </Card>
  );
}

type RefundProps = {
  reference: string;
  customerEmail: string | null;
  refund: ConsoleRefund;
  may: boolean;
};

function Refund({ reference, customerEmail, refund, may }: RefundProps): ReactNode {
  const { status, amount, asset, to, claim_url, transaction, failure, created_at } = refund;
  const { word, tone } = looks[status];
  const { path } = useScope();
  const base = useRefundsPath(reference);
  const mail = useAct(() => api<ConsoleRefund>(`${base}/${refund.id}/mail-link`, { body: {} }), {
    changes: [base],
    done: ({ link_mailed_to }) => t('Link mailed to {address}', { address: link_mailed_to ?? '' }),
  });
  const cancel = useAct(() => api(`${base}/${refund.id}/cancel`, { body: {} }), {
    changes: [path('/payments'), path('/balances'), path('/payouts')],
    done: t('Refund cancelled. Nothing was sent.'),
  });
  return (
    <li className="grid gap-1.5 border-t border-line pt-3 first:border-t-0 first:pt-0">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-semibold">
          <Money amount={amount} currency={asset} />
        </span>
        <Badge tone={tone}>{word}</Badge>
      </span>
      {to !== null && <span className="font-mono wrap-anywhere">{to}</span>}
      {may && refund.transfer !== null && <SendTransfer asset={asset} transfer={refund.transfer} />}
      {transaction !== null && (
        <span>
          <span className="text-quiet">{t('Transaction')}</span>{' '}
          <Id text={transaction} what={t('transaction')} />
        </span>
      )}
      {refund.proved_by !== null && (
        <span className="text-quiet wrap-anywhere">
          {t('Its customer signed this address with {provedBy}, from which the money came', {
            provedBy: refund.proved_by,
          })}
        </span>
      )}
      {failure !== null && <span className="text-quiet">{failure}</span>}
      {refund.reason !== null && <span className="text-quiet wrap-anywhere">{refund.reason}</span>}
      {claim_url !== null && refund.link_mailed_at !== null && (
        <span className="text-quiet wrap-anywhere">
          {rich('Link mailed to {linkMailedTo}, {time}', {
            linkMailedTo: refund.link_mailed_to,
            time: <Time at={refund.link_mailed_at} />,
          })}
        </span>
      )}
      <span className="flex flex-wrap items-center gap-2">
        <Time at={created_at} />
        {claim_url !== null && (
          <Copy text={claim_url} what={t('link for the customer')} label={t('Copy link')} variant="quiet" />
        )}
        {may && claim_url !== null && customerEmail !== null && (
          <Button
            size="small"
            pending={mail.isPending}
            onClick={() => mail.mutate()}
            title={t('To {customerEmail}', { customerEmail })}
          >
            {t('Mail link')}
          </Button>
        )}
        {may && cancellable.includes(status) && (
          <Button size="small" pending={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('Cancel it')}
          </Button>
        )}
      </span>
    </li>
  );
}
