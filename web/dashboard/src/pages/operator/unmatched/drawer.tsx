import { type ReactNode, useState } from 'react';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { DefinitionList, idFact } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { AssignDialog, KeepDialog } from './dialogs.tsx';
import { DepositMatches } from './likely-matches.tsx';
import type { UnmatchedDeposit } from './queries.ts';
import { SendBackDialog } from './return-dialog.tsx';
import { DecisionBadge, Memo } from './words.tsx';

/** The decision that a dialog is open for; `reference`: of the payment that was picked. */
type Deciding = { how: 'assign'; reference: string } | { how: 'keep' | 'send back' } | null;

/** An unmatched deposit, the payments that it may be for, and the decisions. */
export function DepositDrawer({
  deposit,
  onClose,
}: {
  deposit: UnmatchedDeposit;
  onClose: () => void;
}): ReactNode {
  const [deciding, decide] = useState<Deciding>(null);
  const isOpen = deposit.state === 'open';
  const dialog = { deposit, onClose: () => decide(null), onDone: onClose };
  return (
    <Drawer
      open
      onClose={onClose}
      title={<Money amount={deposit.amount} currency={deposit.asset} />}
      aside={
        <>
          <DecisionBadge state={deposit.state} />
          {deposit.mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
        </>
      }
      footer={
        isOpen ? (
          <>
            <Button onClick={() => decide({ how: 'keep' })}>{t('It is our own')}</Button>
            {deposit.can_send && (
              <Button onClick={() => decide({ how: 'send back' })}>{t('Send it back')}</Button>
            )}
            <Button variant="primary" onClick={() => decide({ how: 'assign', reference: '' })}>
              {t('Assign to a payment')}
            </Button>
          </>
        ) : undefined
      }
    >
      {isOpen && deposit.fault !== null && (
        <Banner tone="lost" title={t('It could not be sent back')}>
          {deposit.fault}.
        </Banner>
      )}
      {isOpen && <Advice deposit={deposit} />}
      <Facts deposit={deposit} />
      {isOpen && (
        <Section
          title={t('Likely meant for')}
          description={t(
            'Payments whose customer named the transaction, whose memo is nearly the same, or whose amount is about the same. A proof is shown where there is one; you decide.',
          )}
        >
          <DepositMatches deposit={deposit.id} onPick={(reference) => decide({ how: 'assign', reference })} />
        </Section>
      )}
      {deciding?.how === 'assign' && <AssignDialog {...dialog} reference={deciding.reference} />}
      {deciding?.how === 'send back' && <SendBackDialog {...dialog} />}
      {deciding?.how === 'keep' && <KeepDialog {...dialog} />}
    </Drawer>
  );
}

function Advice({ deposit: { claims, proofs } }: { deposit: UnmatchedDeposit }): ReactNode {
  if (claims > 1) {
    return (
      <Banner tone="waiting" title={t('Customers of {claims} payments claim this deposit', { claims })}>
        {t(
          'Everybody can read its transaction on the network. A second transfer from the same account is a proof, unless many people send from that account. Ask for the receipt of a wallet or an exchange where you are not sure.',
        )}
      </Banner>
    );
  }
  if (claims === 0) {
    return (
      <p className="text-sm">
        {t(
          "It came without the memo of a payment, and no customer has named its transaction on a payment's page yet.",
        )}
      </p>
    );
  }
  return (
    <p className="text-sm">
      {proofs === 1
        ? t(
            'A customer claims this deposit, and a second transfer came from the same account with the memo of their payment. Compare the two below, then decide.',
          )
        : t(
            'A customer claims this deposit. The payment’s page asks them to prove it by another transfer from the same account, with the memo of their payment. It will be shown below.',
          )}
    </p>
  );
}

function Facts({ deposit }: { deposit: UnmatchedDeposit }): ReactNode {
  const { memo, sender, payment, sent_back: sent } = deposit;
  return (
    <DefinitionList
      facts={[
        [t('Memo'), <Memo key="memo" memo={memo} />],
        idFact(t('Transaction'), t('transaction'), deposit.transaction, deposit.transaction_url),
        idFact(t('Sent from'), t("sender's account"), sender, deposit.sender_url),
        [t('Network'), deposit.network],
        [t('Arrived'), <Time key="arrived" at={deposit.arrived_at} exact />],
        [
          t('Assigned to'),
          payment && (
            <PaymentLink key="payment" integration={payment.integration_id} reference={payment.reference} />
          ),
        ],
        [t('Integration'), payment?.integration_name ?? null],
        [t('Decided'), deposit.decided_at && <Time key="decided" at={deposit.decided_at} exact />],
        [
          t('By'),
          deposit.decided_at &&
            (deposit.decided_by ?? t('the gateway, by a second transfer from the same account')),
        ],
        [t('Because'), deposit.reason],
        idFact(
          deposit.state === 'returned' ? t('Sent back to') : t('Being sent back to'),
          t('account'),
          sent?.to,
          sent?.to_url,
        ),
        [t('With memo'), sent && <Memo key="sent memo" memo={sent.memo} />],
        idFact(t('Sent by'), t('transaction that sent it back'), sent?.transaction, sent?.transaction_url),
      ]}
    />
  );
}
