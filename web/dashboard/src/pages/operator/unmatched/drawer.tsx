import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Id } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { AssignDialog, KeepDialog } from './dialogs.tsx';
import { StrayMatches } from './likely-matches.tsx';
import type { Stray } from './queries.ts';
import { SendBackDialog } from './return-dialog.tsx';
import { DecisionBadge, LivePaymentLink, Memo } from './words.tsx';

/** What is being done about the stray: a payment's reference to assign it to, that it goes back, or that it is our own. */
type Deciding = { how: 'assign'; reference: string } | { how: 'keep' | 'send back' } | null;

/** All that is known of a stray, which payments it may be for, and what can be done about it. */
export function StrayDrawer({ stray, onClose }: { stray: Stray; onClose: () => void }): ReactNode {
  const [deciding, decide] = useState<Deciding>(null);
  const isOpen = stray.state === 'open';
  const dialog = { stray, onClose: () => decide(null), onDone: onClose };
  return (
    <Drawer
      open
      onClose={onClose}
      title={<Money amount={stray.amount} currency={stray.asset} />}
      aside={<DecisionBadge state={stray.state} />}
      footer={
        isOpen ? (
          <>
            <Button onClick={() => decide({ how: 'keep' })}>It is our own</Button>
            {stray.can_send && <Button onClick={() => decide({ how: 'send back' })}>Send it back</Button>}
            <Button variant="primary" onClick={() => decide({ how: 'assign', reference: '' })}>
              Assign to a payment
            </Button>
          </>
        ) : undefined
      }
    >
      {isOpen && stray.fault !== null && (
        <Banner tone="lost" title="It could not be sent back">
          {stray.fault}.
        </Banner>
      )}
      {isOpen && <Advice stray={stray} />}
      <Facts stray={stray} />
      {isOpen && (
        <Section
          title="Likely meant for"
          description="Payments whose customer named the transaction, whose memo is nearly the same, or whose amount is about the same. A proof is shown where there is one; you decide."
        >
          <StrayMatches stray={stray.id} onPick={(reference) => decide({ how: 'assign', reference })} />
        </Section>
      )}
      {deciding?.how === 'assign' && <AssignDialog {...dialog} reference={deciding.reference} />}
      {deciding?.how === 'send back' && <SendBackDialog {...dialog} />}
      {deciding?.how === 'keep' && <KeepDialog {...dialog} />}
    </Drawer>
  );
}

function Advice({ stray: { claims, proofs } }: { stray: Stray }): ReactNode {
  if (claims > 1) {
    return (
      <Banner tone="waiting" title={`${claims} payments claim this deposit`}>
        Everybody can read its transaction on the network. A second transfer from the same account is a proof,
        unless many people send from that account. Ask for the receipt of a wallet or an exchange where you
        are not sure.
      </Banner>
    );
  }
  if (claims === 0) {
    return (
      <p className="text-sm">
        It came without the memo of a payment, and no customer has named its transaction on a payment's page
        yet.
      </p>
    );
  }
  return (
    <p className="text-sm">
      {proofs === 1
        ? 'A customer claims this deposit, and a second transfer came from the same account with the memo of their payment. Compare the two below, then decide.'
        : 'A customer claims this deposit. The payment’s page asks them to prove it by another transfer from the same account, with the memo of their payment. It will be shown below.'}
    </p>
  );
}

function Facts({ stray }: { stray: Stray }): ReactNode {
  const { memo, sender, payment, sent_back: sent } = stray;
  return (
    <DefinitionList
      facts={[
        ['Came with', <Memo key="memo" memo={memo} />],
        [
          'Transaction',
          <Id
            key="transaction"
            text={stray.transaction}
            what="transaction"
            length={24}
            href={stray.transaction_url}
          />,
        ],
        [
          'Sent from',
          sender === null ? null : (
            <Id key="sender" text={sender} what="sender's account" length={24} href={stray.sender_url} />
          ),
        ],
        ['Network', stray.network],
        ['Arrived', <Time key="arrived" at={stray.arrived_at} exact />],
        ['Assigned to', payment && <LivePaymentLink key="payment" payment={payment} />],
        ['Integration', payment?.integration_name ?? null],
        ['Decided', stray.decided_at && <Time key="decided" at={stray.decided_at} exact />],
        [
          'By',
          stray.decided_at && (stray.decided_by ?? 'the gateway, by a second transfer from the same account'),
        ],
        ['Because', stray.reason],
        [
          stray.state === 'returned' ? 'Sent back to' : 'Goes back to',
          sent && <Id key="sent to" text={sent.to} what="account" length={24} href={sent.to_url} />,
        ],
        ['With memo', sent && <Memo key="sent memo" memo={sent.memo} />],
        [
          'Sent by',
          sent?.transaction && (
            <Id
              key="sent by"
              text={sent.transaction}
              what="transaction that sent it back"
              length={24}
              href={sent.transaction_url}
            />
          ),
        ],
      ]}
    />
  );
}
