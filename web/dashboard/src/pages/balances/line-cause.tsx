import type { ReactNode } from 'react';
import { PaymentLink } from '../../ui/display/payment-link.tsx';
import type { BalanceLine } from './queries.ts';

/** The causes that the filter offers. */
export const causes: { value: string; label: string }[] = [
  { value: 'payment_settled', label: 'Payments' },
  { value: 'fund_user', label: 'Users funded' },
  { value: 'payout', label: 'Payouts' },
  { value: 'payout_fee', label: 'Fees of payouts' },
  { value: 'demo_seed', label: 'Opening of the demo' },
];

/** The cause of a line in words, with a link to its payment. */
export function LineCause({ line }: { line: BalanceLine }): ReactNode {
  const { cause, payment_reference: reference, username, key, address } = line;
  const payment = reference !== null && <PaymentLink reference={reference} />;
  switch (cause) {
    case 'payment_settled':
      return <>Payment {payment}</>;
    case 'fund_user':
      return username === null ? (
        'A user was funded'
      ) : (
        <>
          Sent to <strong className="font-semibold">{username}</strong>
          {key !== null && (
            <span className="text-quiet">
              {' '}
              by key {key} from {address}
            </span>
          )}
        </>
      );
    case 'payout_undone':
      return 'Payout taken back by a reorg';
    case 'payout_fee':
      return 'Fee of a payout';
    case 'payout_fee_undone':
      return 'Fee of a payout taken back by a reorg';
    case 'demo_seed':
      return 'Opening balance of the demo';
    default:
      return (
        <>
          {sentence(cause)} {payment}
        </>
      );
  }
}

function sentence(cause: string): string {
  const words = cause.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
