import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import { useMay, useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Id } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import type { DeliveryDetail } from '../types/delivery.ts';
import { Attempts } from './attempts.tsx';
import { explain } from './explain.ts';
import { Payload } from './payload.tsx';
import { useDelivery } from './queries.ts';
import { DeliveryBadge } from './status.tsx';

/** Everything about one delivery: why it has its status, what was sent, and each answer. */
export function DeliveryDrawer({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  const delivery = useDelivery(name);
  const { data } = delivery;
  return (
    <Drawer
      open
      onClose={onClose}
      title={data?.event.type ?? t('Delivery')}
      aside={data && <DeliveryBadge status={data.status} />}
      footer={data && <Resend delivery={data} />}
    >
      <Loaded query={delivery} rows={6}>
        {(found) => <Detail delivery={found} />}
      </Loaded>
    </Drawer>
  );
}

function Detail({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const { event, endpoint } = delivery;
  const isMadeUp = event.payment_reference === '' || event.payment_reference.startsWith('TEST_');
  const isOfPayout = event.payout_reference !== '';
  return (
    <>
      <Verdict delivery={delivery} />
      <DefinitionList
        facts={[
          [
            isOfPayout ? t('Payout') : t('Payment'),
            isMadeUp ? (
              <span key="made-up" className="font-mono">
                {event.payment_reference || event.payout_reference}
              </span>
            ) : (
              <PaymentLink key="real" reference={event.payment_reference} />
            ),
          ],
          [t('Endpoint'), <EndpointLine key="endpoint" endpoint={endpoint} />],
          [t('Created'), <Time key="made" at={delivery.created_at} />],
          [t('Next attempt'), nextAttempt(delivery)],
          ['X-Event-Id', <Id key="event" text={event.id} what={t('the event’s id')} length={40} />],
          ['X-Sequence', <Sequence key="sequence" event={event} />],
        ]}
      />
      <Attempts delivery={delivery} />
      <Payload body={event.body} />
    </>
  );
}

function nextAttempt({ next_attempt_at, endpoint: { status } }: DeliveryDetail): ReactNode {
  if (next_attempt_at === null) return null;
  return status === 'active' ? <Time key="next" at={next_attempt_at} /> : t('when the endpoint is activated');
}

/** The event's place among those of its payment or payout, with a link to all of them. */
function Sequence({ event }: Pick<DeliveryDetail, 'event'>): ReactNode {
  const reference = event.payment_reference || event.payout_reference;
  if (reference === '') return `${event.sequence}`;
  return (
    <>
      {event.sequence} ·{' '}
      <Link
        to="."
        search={{ tab: 'deliveries', reference }}
        className="text-accent-strong underline underline-offset-4"
      >
        {event.payment_reference === ''
          ? t('this payout’s events in order')
          : t('this payment’s events in order')}
      </Link>
    </>
  );
}

const statusWords = {
  active: t('active'),
  paused: t('paused'),
  disabled: t('turned off'),
  deleted: t('removed'),
};

function EndpointLine({ endpoint: { url, status } }: Pick<DeliveryDetail, 'endpoint'>): ReactNode {
  return (
    <>
      <span className="font-mono">{url}</span>
      {status !== 'active' && <span className="text-quiet"> ({statusWords[status]})</span>}
    </>
  );
}

/** Why it has its status, in one sentence, and what to do. */
function Verdict({
  delivery: { status, attempts, next_attempt_at, endpoint },
}: {
  delivery: DeliveryDetail;
}): ReactNode {
  if (status === 'held') {
    return (
      <Banner title={t('It is held: the endpoint was off when this happened')}>
        {endpoint.status === 'active'
          ? t('If it is not sent within some minutes, send it now.')
          : t('It is sent when the endpoint is activated.')}
      </Banner>
    );
  }
  const [last] = attempts;
  if (!last) {
    return (
      <Banner
        title={
          endpoint.status === 'active'
            ? t('It is on its way')
            : t('It waits: the endpoint is {statusWords}', { statusWords: statusWords[endpoint.status] })
        }
      />
    );
  }
  const { what, todo } = explain(last);
  const tone = status === 'delivered' ? 'paid' : status === 'failed' ? 'lost' : 'waiting';
  const isOn = endpoint.status === 'active';
  return (
    <Banner tone={tone} title={what}>
      {todo !== undefined && status !== 'delivered' && <p>{todo}</p>}
      {status === 'pending' && isOn && (
        <p>{rich('Next attempt: {time}', { time: <Time at={next_attempt_at} /> })}</p>
      )}
      {status === 'pending' && !isOn && (
        <p>{t('It waits: the endpoint is {statusWords}.', { statusWords: statusWords[endpoint.status] })}</p>
      )}
      {status === 'failed' && <p>{t('No further attempt is made by itself.')}</p>}
    </Banner>
  );
}

function Resend({ delivery: { id, status, endpoint } }: { delivery: DeliveryDetail }): ReactNode {
  const { path } = useScope();
  const may = useMay('resend webhooks');
  const resend = useAct(
    () => api(path(`/webhooks/${endpoint.id}/deliveries/${id}/resend`), { method: 'POST' }),
    { changes: [path('/webhooks'), path('/deliveries')], done: t('On its way again') },
  );
  if (!may)
    return (
      <p className="text-sm text-quiet">{t('Your role may look at deliveries, and not re-send them.')}</p>
    );
  const isOff = endpoint.status === 'disabled' || endpoint.status === 'deleted';
  return (
    <>
      {isOff && (
        <p className="self-center text-sm text-quiet">{t('The endpoint takes nothing: it is turned off.')}</p>
      )}
      <Button variant="primary" disabled={isOff} pending={resend.isPending} onClick={() => resend.mutate()}>
        <RefreshCw size={16} aria-hidden />{' '}
        {status === 'pending' || status === 'held' ? t('Send now') : t('Re-send')}
      </Button>
    </>
  );
}
