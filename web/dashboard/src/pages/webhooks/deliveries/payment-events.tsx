import type { ReactNode } from 'react';
import type { ResentEvent } from '../../../../../../gateway/src/webhooks/answers/console-answers.ts';
import { api } from '../../../api/client.ts';
import { useMay, useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { counted, t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import type { PaymentEvent } from '../types/delivery.ts';
import { usePaymentEvents } from './queries.ts';

/** A payment's events in the order of X-Sequence, also those that were sent to no endpoint. */
export function PaymentEvents({ reference }: { reference: string }): ReactNode {
  const { data } = usePaymentEvents(reference);
  if (!data) return null;
  if (data.items.length === 0) {
    return (
      <Banner title={t('This payment has no events yet')}>
        {t(
          'An event is made when the customer chooses how to pay, when money is seen, and when it ends. Compare the reference too: it must be whole, and of this mode.',
        )}
      </Banner>
    );
  }
  const inOrder = data.items.toSorted((a, b) => a.sequence - b.sequence);
  const untold = inOrder.filter(({ deliveries }) => deliveries === 0);
  return (
    <>
      <Section
        title={t('Events of this payment')}
        description={t(
          'In the order of X-Sequence. Webhooks can overtake each other; a higher number is newer.',
        )}
      >
        <ol className="flex min-w-0 flex-wrap gap-2">
          {inOrder.map((event) => (
            <li
              key={event.event_id}
              className="flex min-w-0 items-center gap-2.5 rounded-lg border border-line bg-surface py-1.5 pr-3 pl-1.5 text-sm"
            >
              <span className="grid size-7 place-items-center rounded-md bg-sunken font-semibold tabular-nums">
                {event.sequence}
              </span>
              <span className="grid min-w-0">
                <span className="font-mono wrap-anywhere">{event.event_type}</span>
                <span className="text-quiet">
                  <Time at={event.created_at} /> · {sentText(event.deliveries)}
                </span>
              </span>
            </li>
          ))}
        </ol>
      </Section>
      {untold.map((event) => (
        <UntoldEvent key={event.event_id} event={event} />
      ))}
    </>
  );
}

function sentText(deliveries: number): string {
  if (deliveries === 0) return t('sent to no endpoint');
  return counted(deliveries, 'one endpoint', '{count} endpoints');
}

function UntoldEvent({ event }: { event: PaymentEvent }): ReactNode {
  const { path } = useScope();
  const may = useMay('resend webhooks');
  const resend = useAct(
    () => api<ResentEvent>(path(`/events/${event.event_id}/resend`), { method: 'POST' }),
    {
      changes: [path('/deliveries'), path('/events')],
      done: ({ count }) =>
        count === 0
          ? t('No endpoint is subscribed to this event')
          : t('On the way to {count} of your endpoints', { count }),
    },
  );
  return (
    <Banner
      tone="waiting"
      title={rich('{span} was sent to no endpoint', {
        span: <span className="font-mono">{event.event_type}</span>,
      })}
      action={
        may && (
          <Button size="small" pending={resend.isPending} onClick={() => resend.mutate()}>
            {t('Send it now')}
          </Button>
        )
      }
    >
      {rich('It happened {time}, and no endpoint was active and subscribed to it then.', {
        time: <Time at={event.created_at} />,
      })}
    </Banner>
  );
}
