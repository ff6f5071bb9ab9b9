import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { OldSecret } from '../secrets/old-secret.tsx';
import { type ActsProps, EndpointActs } from './acts.tsx';
import { EndpointHealth } from './health.tsx';
import { EndpointStatus } from './status.tsx';
import { EndpointTrouble } from './trouble.tsx';

/** One endpoint: its address, what is sent to it, and how that went. */
export function EndpointCard({ endpoint, onAct }: ActsProps): ReactNode {
  const { url, description, events, format } = endpoint;
  return (
    <article
      aria-label={url}
      className="grid min-w-0 gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5"
    >
      <header className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1.5">
          <h2 className="font-mono text-sm font-semibold wrap-anywhere">{url}</h2>
          {description !== '' && <p className="text-quiet wrap-anywhere">{description}</p>}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <EndpointStatus endpoint={endpoint} />
            <span className="text-quiet">{eventsText(events)}</span>
            {format === 'greenfield' && <span className="text-quiet">{t('BTCPay webhooks')}</span>}
          </div>
        </div>
        <EndpointActs endpoint={endpoint} onAct={onAct} />
      </header>
      <EndpointTrouble endpoint={endpoint} onAct={onAct} />
      <OldSecret endpoint={endpoint} />
      <EndpointHealth endpoint={endpoint} />
    </article>
  );
}

/** `3 events: payment_completed, …` in the words of the contract. */
function eventsText(events: readonly string[]): string {
  return events.length > 3 ? t('{count} event types', { count: events.length }) : events.join(', ');
}
