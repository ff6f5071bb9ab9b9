import type { ReactNode } from 'react';
import { Id } from '../../../ui/display/code.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { Time } from '../../../ui/display/time.tsx';
import type { DepositMatch, Proof } from './queries.ts';

/** Which customer claims the deposit and when, and its proof; nothing where there is neither. */
export function Evidence({ match }: { match: DepositMatch }): ReactNode {
  const { claimed_at, customer_reference, customer_email, proof } = match;
  const customer = customer_reference ?? customer_email;
  return (
    <>
      {claimed_at !== null && (
        <span className="text-sm">
          {customer === null ? 'The customer' : <bdi className="wrap-anywhere">{customer}</bdi>} named the
          transaction <Time at={claimed_at} />.
        </span>
      )}
      {proof !== null && <ProofText proof={proof} />}
    </>
  );
}

function ProofText({ proof }: { proof: Proof }): ReactNode {
  const { other_payments: payments, other_deposits: deposits } = proof;
  return (
    <span className="text-sm">
      <Money amount={proof.amount} currency={proof.asset} /> came from the same account with the memo of this
      payment <Time at={proof.arrived_at} />:{' '}
      <Id text={proof.transaction} what="transaction" length={12} href={proof.transaction_url} />
      {payments + deposits > 0 && (
        <span className="block text-quiet">
          This proves little if the account is an exchange's. It also sent {othersOf(payments, deposits)}.
        </span>
      )}
    </span>
  );
}

function othersOf(payments: number, deposits: number): string {
  const parts = [
    payments > 0 && `money for ${payments === 1 ? 'a payment' : `${payments} payments`} of other customers`,
    deposits > 0 && (deposits === 1 ? 'another unmatched deposit' : `${deposits} other unmatched deposits`),
  ];
  return parts.filter((part) => part !== false).join(' and ');
}
