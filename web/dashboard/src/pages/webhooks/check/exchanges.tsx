import { CircleCheck, CircleHelp, CircleX, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Progress } from '../../../ui/feedback/progress.tsx';
import { durationText } from '../deliveries/explain.ts';
import type { Check, Exchange } from './check.ts';

/** The deliveries of a check with their answers, and its progress while it runs. */
export function CheckExchanges({ check }: { check: Check }): ReactNode {
  const { exchanges, planned, status } = check;
  return (
    <div className="grid min-w-0 gap-3">
      {status === 'running' && (
        <Progress
          label={t('Sending deliveries')}
          value={planned === 0 ? null : exchanges.length}
          max={Math.max(1, planned, exchanges.length)}
          text={
            planned === 0
              ? `${exchanges.length}`
              : t('{count} of {planned}', { count: exchanges.length, planned })
          }
        />
      )}
      <ol className="overflow-hidden rounded-xl border border-line bg-surface">
        {exchanges.map((exchange) => (
          <li key={exchange.name} className="border-b border-line last:border-b-0">
            <OneExchange exchange={exchange} />
          </li>
        ))}
        {status === 'running' && (
          <li className="flex items-center gap-3 px-4 py-2.5 text-sm text-quiet">
            <LoaderCircle size={16} aria-hidden className="shrink-0 animate-spin" />{' '}
            {t('More deliveries are being sent')}
          </li>
        )}
      </ol>
    </div>
  );
}

function OneExchange({ exchange }: { exchange: Exchange }): ReactNode {
  const { title, expects, as_expected, times, response, error } = exchange;
  const [Icon, tone, words] =
    as_expected === null
      ? ([CircleHelp, 'text-waiting', t('Either answer may be right')] as const)
      : as_expected
        ? ([CircleCheck, 'text-paid', t('The right answer')] as const)
        : ([CircleX, 'text-lost', t('A wrong answer')] as const);
  return (
    <details className="group">
      <summary className="flex min-h-11 items-center gap-3 px-4 py-2 text-sm -outline-offset-2 hover:bg-sunken">
        <Icon size={16} aria-label={words} role="img" className={`shrink-0 ${tone}`} />
        <span className="min-w-0 flex-1 wrap-anywhere">
          {title}
          {times > 1 && <span className="text-quiet"> × {times}</span>}
        </span>
        <span className="shrink-0 text-right text-quiet tabular-nums">{answerText(exchange)}</span>
      </summary>
      <div className="grid gap-1.5 border-t border-line px-4 py-3 text-sm">
        <p>{expects}</p>
        {error !== null && <p className="text-lost">{error}</p>}
        {response !== null && response !== '' && (
          <pre className="overflow-hidden rounded-lg bg-sunken px-3 py-2 font-mono wrap-anywhere whitespace-pre-wrap">
            {response}
          </pre>
        )}
      </div>
    </details>
  );
}

function answerText({ status_code, duration_ms }: Exchange): string {
  return `${status_code ?? t('no answer')} · ${durationText(duration_ms)}`;
}
