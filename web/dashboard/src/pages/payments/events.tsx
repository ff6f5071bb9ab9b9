import { Link } from '@tanstack/react-router';
import { ChevronRight, CircleCheck, CircleX, Clock, MinusCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Code } from '../../ui/display/code.tsx';
import { JsonView } from '../../ui/display/json-view.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { explain, isTaken } from '../webhooks/deliveries/explain.ts';
import type { Attempt, Delivery, PaymentEvent } from './queries.ts';
import { answerWords, eventWord } from './words.ts';

/** The events of the payment, whether each was delivered to the shop, and their attempts. */
export function Events({
  events,
  reference,
}: {
  events: readonly PaymentEvent[];
  reference: string;
}): ReactNode {
  const { integrationId, mode } = useScope();
  if (events.length === 0) return null;
  return (
    <Section
      title={t('Webhooks to your shop')}
      actions={
        <Link
          to="/i/$integration/$mode/webhooks"
          params={{ integration: integrationId, mode }}
          search={{ tab: 'deliveries', reference }}
          className="text-sm text-accent-strong underline-offset-4 hover:underline"
        >
          {t('All deliveries')}
        </Link>
      }
    >
      <ul className="overflow-hidden rounded-xl border border-line bg-surface">
        {events.map((event) => (
          <li key={event.event_id} className="border-b border-line last:border-b-0">
            <details className="group">
              <summary className="flex min-h-12 items-center gap-3 px-4 py-2 -outline-offset-2 hover:bg-sunken">
                <ChevronRight
                  size={16}
                  aria-hidden
                  className="shrink-0 text-quiet transition-transform group-open:rotate-90"
                />
                <span className="min-w-0 flex-1">
                  <span className="text-quiet tabular-nums" title="X-Sequence">
                    {event.sequence}.
                  </span>{' '}
                  <span className="font-semibold">{eventWord(event.event_type)}</span>{' '}
                  <Outcome event={event} />
                </span>
                <Time at={event.created_at} still />
              </summary>
              <div className="grid gap-4 border-t border-line px-4 py-4">
                {event.deliveries.map((delivery) => (
                  <DeliveryView key={delivery.id} delivery={delivery} />
                ))}
                <JsonView text={event.body} label={t('Payload')} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const looks = {
  delivered: { icon: CircleCheck, tone: 'text-paid' },
  pending: { icon: Clock, tone: 'text-waiting' },
  failed: { icon: CircleX, tone: 'text-lost' },
  none: { icon: MinusCircle, tone: 'text-quiet' },
} as const;

function Outcome({ event }: { event: PaymentEvent }): ReactNode {
  const { state, words } = outcomeOf(event);
  const { icon: Icon, tone } = looks[state];
  return (
    <span className={`inline-flex items-center gap-1 ${tone}`}>
      <Icon size={14} aria-hidden className="shrink-0" /> {words}
    </span>
  );
}

function outcomeOf({ deliveries }: PaymentEvent): { state: keyof typeof looks; words: string } {
  if (deliveries.length === 0) return { state: 'none', words: t('no active endpoint') };
  if (deliveries.some(({ status }) => status === 'failed'))
    return { state: 'failed', words: t('not delivered') };
  if (deliveries.some(({ status }) => status === 'pending')) return { state: 'pending', words: t('waiting') };
  return { state: 'delivered', words: t('delivered') };
}

function DeliveryView({ delivery }: { delivery: Delivery }): ReactNode {
  const { integrationId, mode } = useScope();
  const { url, attempts, next_attempt_at, status } = delivery;
  return (
    <div className="grid gap-2">
      <Link
        to="/i/$integration/$mode/webhooks"
        params={{ integration: integrationId, mode }}
        search={{ tab: 'deliveries', delivery: `${delivery.endpoint_id}.${delivery.id}` }}
        className="justify-self-start font-mono text-sm wrap-anywhere underline underline-offset-4 hover:no-underline"
      >
        {url}
      </Link>
      {attempts.map((attempt, index) => (
        <AttemptView key={attempt.at} attempt={attempt} number={index + 1} />
      ))}
      {next_attempt_at !== null && (
        <p className="text-sm text-waiting">
          {attempts.length === 0 ? t('To be sent') : t('Next attempt')} <Time at={next_attempt_at} />
        </p>
      )}
      {status === 'failed' && (
        <p className="text-sm text-lost">{t('No further attempt. Open the delivery to send it again.')}</p>
      )}
    </div>
  );
}

function AttemptView({ attempt, number }: { attempt: Attempt; number: number }): ReactNode {
  const isGood = isTaken(attempt);
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap gap-x-3 text-sm tabular-nums">
        <span className={isGood ? 'text-paid' : 'text-lost'}>
          {t('Attempt {number}: {attempt}', { number, attempt: answerWords(attempt) })}
        </span>
        <span className="text-quiet">{t('{durationMs} ms', { durationMs: attempt.duration_ms })}</span>
        <span className="text-quiet">
          <Time at={attempt.at} />
        </span>
      </p>
      {!isGood && <p className="text-sm text-quiet">{explain(attempt).todo}</p>}
      {!isGood && attempt.response && <Code text={attempt.response} label={t('Response')} wraps />}
    </div>
  );
}
