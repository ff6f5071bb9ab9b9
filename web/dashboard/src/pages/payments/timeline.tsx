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
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
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
  status: t('Status'),
  transfer: t('Chain'),
  sweep: t('Chain'),
  event: t('Webhook'),
  webhook: t('Webhook'),
  request: t('API call'),
  staff: t('Staff'),
  claim: t('Customer'),
};

type TimelineProps = {
  entries: readonly TimelineEntry[];
  /** The assets that go to the business's own address. */
  direct: readonly string[];
};

/** Everything that happened, from every source, in the order of time. */
export function Timeline({ entries, direct }: TimelineProps): ReactNode {
  return (
    <Card title={t('Timeline')}>
      <ol className="grid">
        {entries.map((entry, index) => (
          <Entry
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name, and are only ever added to
            key={index}
            entry={entry}
            before={entries[index - 1]}
            isDirect={entry.kind === 'sweep' && direct.includes(entry.asset)}
          />
        ))}
      </ol>
    </Card>
  );
}

type EntryProps = { entry: TimelineEntry; before: TimelineEntry | undefined; isDirect: boolean };

function Entry({ entry, before, isDirect }: EntryProps): ReactNode {
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
          <Words {...{ entry, isDirect }} />
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

const stepWords = { seen: t('seen'), final: t('final'), gone: t('left its chain') } as const;

function Words({ entry, isDirect }: Pick<EntryProps, 'entry' | 'isDirect'>): ReactNode {
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
          <Amount of={entry} /> {stepWords[entry.step]}
          {entry.transaction_url !== null && <InTransaction entry={entry} />}
        </>
      );
    case 'sweep':
      return (
        <>
          <Amount of={entry} /> {sweepWords(entry.step, isDirect)}
          <InTransaction entry={entry} />
        </>
      );
    case 'event':
      return (
        <>
          {t('“{eventType}” was not sent: no endpoint listens', { eventType: eventWord(entry.event_type) })}
        </>
      );
    case 'webhook':
      return (
        <>
          {rich('“{eventType}” sent to {url}: {entry} {span}', {
            eventType: eventWord(entry.event_type),
            url: hostOf(entry.url),
            entry: answerWords(entry),
            span: (
              <span className="text-quiet">{t('in {durationMs} ms', { durationMs: entry.duration_ms })}</span>
            ),
          })}
          {entry.attempt > 1 && (
            <span className="text-quiet">{t(', attempt {attempt}', { attempt: entry.attempt })}</span>
          )}
          {isBad(entry) && <span className="block text-sm text-quiet">{explain(entry).todo}</span>}
        </>
      );
    case 'request':
      return (
        <>
          {rich('{span} answered {status}', {
            span: (
              <span className="font-mono">
                {entry.method} {entry.path}
              </span>
            ),
            status: entry.status,
          })}
        </>
      );
    case 'staff':
      return (
        <>
          {entry.actor} {entry.action}
          {entry.as_operator && <span className="text-quiet"> {t('as operator')}</span>}
        </>
      );
    case 'claim':
      return entry.claim === 'paid'
        ? rich('Says they have paid: {span}', { span: <span className="font-mono">{entry.content}</span> })
        : t('Disputes the payment: {content}', { content: entry.content });
  }
}

function sweepWords(step: string, isDirect: boolean): string {
  if (step === 'gone') return t('is back on its address: the sweep left its chain');
  return isDirect ? t('passed on to your own wallet and to the operator') : t('swept to the treasury');
}

/** Amounts of many digits wrap on a phone. */
const Amount = ({ of: { amount, asset } }: { of: Pick<Moved, 'amount' | 'asset'> }): ReactNode => (
  <Money amount={amount} currency={asset} className="max-sm:whitespace-normal" />
);

function InTransaction({ entry }: { entry: Moved }): ReactNode {
  return (
    <span className="text-sm text-quiet">
      {rich(', transaction {id}', {
        id: <Id text={entry.transaction} what={t('transaction hash')} href={entry.transaction_url} />,
      })}
    </span>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
