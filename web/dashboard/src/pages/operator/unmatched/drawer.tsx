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
      {isOpen && <Advice claims={stray.claims} />}
      <Facts stray={stray} />
      {isOpen && (
        <Section
          title="Likely meant for"
          description="Payments whose customers say so, whose memo is nearly the same, or that wanted about as much when it came."
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

function Advice({ claims }: { claims: number }): ReactNode {
  return claims > 1 ? (
    <Banner tone="waiting" title={`${claims} payments claim this money`}>
      Everybody can read its transaction on the network. Ask each of them for what only its sender can show,
      such as the receipt of their wallet or exchange.
    </Banner>
  ) : (
    <p className="text-sm">
      {claims === 1
        ? 'A customer says that this is theirs. Once another transfer comes from the same account with the memo of their payment, it is assigned by itself, if it is what the payment asked for and nobody else sends from that account.'
        : 'It came without the memo of a payment, and no customer has named it on the page of theirs yet.'}
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
        ['By', stray.decided_at && (stray.decided_by ?? 'its sender, by a second transfer')],
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
