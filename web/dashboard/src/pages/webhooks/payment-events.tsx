import type { ReactNode } from 'react';
import { useAct } from '../../api/act.ts';
import { api } from '../../api/client.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { usePaymentEvents } from './queries.ts';
import type { PaymentEvent } from './types.ts';

/** Says of a payment what was sent to nobody: no endpoint was active and subscribed when it happened. */
export function PaymentEvents({ reference }: { reference: string }): ReactNode {
  const { data } = usePaymentEvents(reference);
  if (!data) return null;
  if (data.items.length === 0) {
    return (
      <Banner title="Nothing has happened to this payment that webhooks tell of">
        An event is made when the customer chooses how to pay, when money is seen, and when it ends. Compare
        the reference too: it must be whole, and of this mode.
      </Banner>
    );
  }
  const untold = data.items.filter(({ deliveries }) => deliveries === 0);
  return untold.map((event) => <UntoldEvent key={event.event_id} event={event} />);
}

function UntoldEvent({ event }: { event: PaymentEvent }): ReactNode {
  const { path } = useScope();
  const may = useMay('resend webhooks');
  const resend = useAct(
    () => api<{ count: number }>(path(`/events/${event.event_id}/resend`), { method: 'POST' }),
    {
      changes: [path('/deliveries'), path('/events')],
      done: ({ count }) =>
        count === 0 ? 'Still no endpoint hears of this event' : `On the way to ${count} of your endpoints`,
    },
  );
  return (
    <Banner
      tone="waiting"
      title={
        <>
          <span className="font-mono">{event.event_type}</span> was sent to nobody
        </>
      }
      action={
        may && (
          <Button size="small" pending={resend.isPending} onClick={() => resend.mutate()}>
            Send it now
          </Button>
        )
      }
    >
      It happened <Time at={event.created_at} />, and no endpoint was active and subscribed to it then.
    </Banner>
  );
}
