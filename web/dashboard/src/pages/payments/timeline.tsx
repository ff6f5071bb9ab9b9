import {
  ArrowDownToLine,
  ArrowRightToLine,
  Cable,
  CircleDot,
  type LucideIcon,
  MessageSquare,
  Send,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { laterText } from '../../format/time-text.ts';
import { Id } from '../../ui/display/code.tsx';
import { Money } from '../../ui/display/money.tsx';
import { statusWord } from '../../ui/display/status-badge.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { explain } from '../webhooks/deliveries/explain.ts';
import type { Moved, TimelineEntry } from './timeline-entry.ts';
import { answerWords, eventWord, reasonWords } from './words.ts';

const icons: Record<TimelineEntry['kind'], LucideIcon> = {
  status: CircleDot,
  transfer: ArrowDownToLine,
  sweep: ArrowRightToLine,
  event: Send,
  webhook: Send,
  request: Cable,
  staff: UserRound,
  claim: MessageSquare,
};

const sources: Record<TimelineEntry['kind'], string> = {
  status: 'Status',
  transfer: 'Chain',
  sweep: 'Chain',
  event: 'Webhook',
  webhook: 'Webhook',
  request: 'API call',
  staff: 'Staff',
  claim: 'Customer',
};

/** Everything that happened, from every source, in the order of time. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }): ReactNode {
  return (
    <Card title="Timeline">
      <ol className="grid">
        {entries.map((entry, index) => (
          <Entry
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name, and are only ever added to
            key={index}
            entry={entry}
            before={entries[index - 1]}
          />
        ))}
      </ol>
    </Card>
  );
}

function Entry({ entry, before }: { entry: TimelineEntry; before: TimelineEntry | undefined }): ReactNode {
  const Icon = icons[entry.kind];
  return (
    <li className="group relative flex gap-3 pb-5 last:pb-0">
      <span aria-hidden className="absolute top-7 bottom-0 left-3.5 w-px bg-line group-last:hidden" />
      <span
        className={`z-1 grid size-7 shrink-0 place-items-center rounded-full bg-sunken ${isBad(entry) ? 'text-lost' : 'text-quiet'}`}
      >
        <Icon size={14} aria-hidden />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5 pt-1">
        <p className="min-w-0 wrap-anywhere">
          <Words entry={entry} />
        </p>
        <p className="text-sm text-quiet">
          {sources[entry.kind]} · <Time at={entry.at} exact />
          {before && <> · {laterText(Date.parse(entry.at) - Date.parse(before.at))}</>}
        </p>
      </div>
    </li>
  );
}

function isBad(entry: TimelineEntry): boolean {
  switch (entry.kind) {
    case 'webhook':
      return entry.error !== null || entry.status_code === null || entry.status_code >= 300;
    case 'request':
      return entry.status >= 400;
    case 'status':
      return entry.status === 'failed';
    case 'transfer':
    case 'sweep':
      return entry.step === 'gone';
    default:
      return false;
  }
}

const stepWords = { seen: 'seen', final: 'final', gone: 'left its chain' } as const;

function Words({ entry }: { entry: TimelineEntry }): ReactNode {
  switch (entry.kind) {
    case 'status':
      return (
        <>
          <strong className="font-semibold">{statusWord(entry.status)}</strong>
          {entry.reason !== null && <span>: {reasonWords(entry.reason)}</span>}
        </>
      );
    case 'transfer':
      return (
        <>
          <Money amount={entry.amount} currency={entry.asset} /> {stepWords[entry.step]}
          {entry.transaction_url !== null && <InTransaction entry={entry} />}
        </>
      );
    case 'sweep':
      return (
        <>
          <Money amount={entry.amount} currency={entry.asset} />{' '}
          {entry.step === 'gone'
            ? 'is back on its address: the sweep left its chain'
            : 'swept to the treasury'}
          <InTransaction entry={entry} />
        </>
      );
    case 'event':
      return <>“{eventWord(entry.event_type)}” was not sent: no endpoint listens</>;
    case 'webhook':
      return (
        <>
          “{eventWord(entry.event_type)}” sent to {hostOf(entry.url)}: {answerWords(entry)}{' '}
          <span className="text-quiet">in {entry.duration_ms} ms</span>
          {entry.attempt > 1 && <span className="text-quiet">, attempt {entry.attempt}</span>}
          {isBad(entry) && <span className="block text-sm text-quiet">{explain(entry).todo}</span>}
        </>
      );
    case 'request':
      return (
        <>
          <span className="font-mono">
            {entry.method} {entry.path}
          </span>{' '}
          answered {entry.status}
        </>
      );
    case 'staff':
      return (
        <>
          {entry.actor} {entry.action}
          {entry.as_operator && <span className="text-quiet"> as operator</span>}
        </>
      );
    case 'claim':
      return entry.claim === 'paid' ? (
        <>
          Says they have paid: <span className="font-mono">{entry.content}</span>
        </>
      ) : (
        <>Disputes the payment: {entry.content}</>
      );
  }
}

function InTransaction({ entry }: { entry: Moved }): ReactNode {
  return (
    <span className="text-sm text-quiet">
      , transaction <Id text={entry.transaction} what="transaction hash" href={entry.transaction_url} />
    </span>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
