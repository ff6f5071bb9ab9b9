import type { ReactNode } from 'react';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { PaymentLink } from '../../ui/display/payment-link.tsx';
import type { BalanceLine } from './queries.ts';

/** The causes that the filter offers. */
export const causes: { value: string; label: string }[] = [
  { value: 'payment_settled', label: t('Payments') },
  { value: 'fund_user', label: t('Users funded') },
  { value: 'payout', label: t('Payouts') },
  { value: 'payout_fee', label: t('Fees of payouts') },
  { value: 'demo_seed', label: t('Opening of the demo') },
];

/** The cause of a line in words, with a link to its payment. */
export function LineCause({ line }: { line: Omit<BalanceLine, 'value' | 'value_currency'> }): ReactNode {
  const { cause, payment_reference: reference, username, key, address } = line;
  const payment = reference !== null && <PaymentLink reference={reference} />;
  switch (cause) {
    case 'payment_settled':
      return <>{rich('Payment {payment}', { payment })}</>;
    case 'fund_user':
      return username === null ? (
        t('A user was funded')
      ) : (
        <>
          {rich('Sent to {user}', { user: <strong className="font-semibold">{username}</strong> })}
          {key !== null && (
            <span className="text-quiet">
              {' '}
              {rich('by key {hint} from {address}', { hint: key, address })}
            </span>
          )}
        </>
      );
    case 'payout_undone':
      return t('Payout taken back by a reorg');
    case 'payout_fee':
      return t('Fee of a payout');
    case 'payout_fee_undone':
      return t('Fee of a payout taken back by a reorg');
    case 'demo_seed':
      return t('Opening balance of the demo');
    default:
      return (
        <>
          {sentence(cause)} {payment}
        </>
      );
  }
}

/** The lines of one cause in words. */
export function kindWord(kind: string): string {
  if (kind === 'refund_taken') return t('Refunds');
  if (kind === 'direct_payment_received') return t('To your own wallet');
  if (kind === 'direct_payment_lost') return t('To your own wallet, taken back by a reorg');
  return causes.find(({ value }) => value === kind)?.label ?? sentence(kind);
}

function sentence(cause: string): string {
  const words = cause.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
