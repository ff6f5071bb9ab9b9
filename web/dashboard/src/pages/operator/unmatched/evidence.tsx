import type { ReactNode } from 'react';
import { language } from '../../../texts/language.ts';
import { rich } from '../../../texts/rich.ts';
import { counted, t } from '../../../texts/t.ts';
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
          {rich('{bdi} named the transaction {time}.', {
            bdi: customer === null ? t('The customer') : <bdi className="wrap-anywhere">{customer}</bdi>,
            time: <Time at={claimed_at} />,
          })}
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
      {rich('{money} came from the same account with the memo of this payment {time}: {id}', {
        money: <Money amount={proof.amount} currency={proof.asset} />,
        time: <Time at={proof.arrived_at} />,
        id: <Id text={proof.transaction} what={t('transaction')} length={12} href={proof.transaction_url} />,
      })}
      {payments + deposits > 0 && (
        <span className="block text-quiet">
          {t("This proves little if the account is an exchange's. It also sent {payments}.", {
            payments: othersOf(payments, deposits),
          })}
        </span>
      )}
    </span>
  );
}

function othersOf(payments: number, deposits: number): string {
  const parts = [
    payments > 0 &&
      t('money for {payments} of other customers', {
        payments: counted(payments, 'a payment', '{count} payments'),
      }),
    deposits > 0 && counted(deposits, 'another unmatched deposit', '{count} other unmatched deposits'),
  ];
  return new Intl.ListFormat(language).format(parts.filter((part) => part !== false));
}
