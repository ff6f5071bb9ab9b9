import { type ReactNode, useState } from 'react';
import { amountText, assetName } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { DefinitionList, idFact } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { outcomeWords } from '../../../ui/toast/done.ts';
import { SendDialog, type SendForm } from '../send-dialog.tsx';
import { type OwedRefund, owedPaths, sendRefund } from './queries.ts';

/** A refund that is owed: its facts, and sending it where the gateway has a key. */
export function OwedRefundDrawer({
  refund,
  onClose,
}: {
  refund: OwedRefund;
  onClose: () => void;
}): ReactNode {
  const [isSending, setSending] = useState(false);
  const amount = `${amountText(refund.amount)} ${assetName(refund.asset)}`;

  async function send({ to, memo }: SendForm): Promise<string> {
    return outcomeWords(await sendRefund(refund.id, { to, memo }), t('{amount} is being sent.', { amount }));
  }

  return (
    <Drawer
      open
      onClose={onClose}
      title={<Money amount={refund.amount} currency={refund.asset} />}
      aside={<OwedBadge refund={refund} />}
      footer={
        refund.can_send && refund.state === 'requested' ? (
          <Button variant="primary" onClick={() => setSending(true)}>
            {t('Send it')}
          </Button>
        ) : undefined
      }
    >
      <Advice refund={refund} />
      <Facts refund={refund} />
      {isSending && (
        <SendDialog
          amount={amount}
          description={t('For {reference}, out of what is owed to its customer. This cannot be undone.', {
            reference: refund.reference,
          })}
          sender={refund.sender}
          onSend={send}
          changes={owedPaths}
          onClose={() => setSending(false)}
        />
      )}
    </Drawer>
  );
}

/** The state of sending; nothing for a refund that was not ordered yet. */
export function OwedBadge({ refund: { state, fault } }: { refund: OwedRefund }): ReactNode {
  if (state === 'sending') return <Badge tone="waiting">{t('Being sent')}</Badge>;
  return fault === null ? null : <Badge tone="lost">{t('Not sent')}</Badge>;
}

function Advice({ refund: { state, fault, network } }: { refund: OwedRefund }): ReactNode {
  if (state === 'sending') {
    return (
      <Banner title={t('The gateway sends it')}>
        {t(
          'It leaves this list once it is final on the network. If it cannot be sent, it is owed as before, and the reason is shown here. Health shows what keeps the gateway from sending.',
        )}
      </Banner>
    );
  }
  return (
    <>
      {fault !== null && (
        <Banner tone="lost" title={t('It was not sent')}>
          {fault}.
        </Banner>
      )}
      <Banner
        tone="waiting"
        title={t('Ask the customer where to send it{network}', {
          network: network === null ? '' : t(', on {network}', { network }),
        })}
      >
        {t(
          'Do not simply send it back to the address it came from: an exchange pays for all its customers from its own addresses, and money sent back to one of them does not reach the customer.',
        )}
      </Banner>
    </>
  );
}

function Facts({ refund }: { refund: OwedRefund }): ReactNode {
  const { integration_id: integration, mode, reference, sender, destination } = refund;
  return (
    <DefinitionList
      facts={[
        [
          t('Payment'),
          <PaymentLink key="payment" integration={integration} mode={mode} reference={reference} />,
        ],
        [t('Integration'), refund.integration_name],
        [t('Customer'), refund.customer_email],
        idFact(t('Came from'), t("sender's address"), sender, refund.sender_url),
        idFact(t('Transaction'), t('transaction'), refund.transaction, refund.transaction_url),
        [t('Owed since'), <Time key="since" at={refund.created_at} exact />],
        idFact(refund.state === 'sending' ? t('Sent to') : t('Last destination'), t('address'), destination),
        [t('With memo'), refund.memo],
      ]}
    />
  );
}
