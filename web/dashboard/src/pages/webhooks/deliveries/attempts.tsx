import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { counted, t } from '../../../texts/t.ts';
import { Copy } from '../../../ui/button/copy.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { Code } from '../../../ui/display/code.tsx';
import { JsonView } from '../../../ui/display/json-view.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { chaosIcon } from '../chaos/badge.tsx';
import type { Attempt, DeliveryDetail } from '../types/delivery.ts';
import { curlOfAttempt } from './curl.ts';
import { durationText, explain, isTaken } from './explain.ts';

/** Each attempt, the newest first and open: what was sent, and what came back. */
export function Attempts({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const { attempts, attempt_count } = delivery;
  if (attempts.length === 0) return null;
  return (
    <Section title={counted(attempt_count, 'One attempt', '{count} attempts')}>
      <ol className="grid min-w-0 gap-2">
        {attempts.map((attempt, index) => (
          <li key={attempt.n} className="min-w-0">
            <OneAttempt attempt={attempt} delivery={delivery} isOpen={index === 0} />
          </li>
        ))}
      </ol>
      {attempt_count > attempts.length && (
        <p className="text-sm text-quiet">{t('The newest {count} are shown.', { count: attempts.length })}</p>
      )}
    </Section>
  );
}

type OneAttemptProps = { attempt: Attempt; delivery: DeliveryDetail; isOpen: boolean };

function OneAttempt({ attempt, delivery: { endpoint, event }, isOpen }: OneAttemptProps): ReactNode {
  const { n, at, status_code, duration_ms, request_headers } = attempt;
  const taken = isTaken(attempt);
  const { what, todo } = explain(attempt);
  const command = curlOfAttempt(endpoint.url, attempt, event.body);
  return (
    <details open={isOpen} className="group min-w-0 rounded-lg border border-line bg-surface">
      <summary className="flex flex-wrap items-center gap-x-3 gap-y-0.5 rounded-lg px-3 py-2.5 text-sm tabular-nums hover:bg-sunken">
        <ChevronRight
          size={16}
          aria-hidden
          className="text-quiet transition-transform group-open:rotate-90"
        />
        <span className="text-quiet">{n}.</span>
        <strong
          className={taken ? 'text-paid' : attempt.injected_fault !== null ? 'text-waiting' : 'text-lost'}
        >
          {status_code ?? (request_headers === null ? t('Not sent') : t('No answer'))}
        </strong>
        {request_headers !== null && <span className="text-quiet">{durationText(duration_ms)}</span>}
        {attempt.injected_fault !== null && (
          <Badge tone="waiting" icon={chaosIcon}>
            {t('Chaos')}
          </Badge>
        )}
        <span className="ml-auto text-quiet">
          <Time at={at} exact />
        </span>
      </summary>
      <div className="grid min-w-0 gap-3 border-t border-line p-3">
        {!taken && (
          <p className="text-sm">
            {what} {todo}
          </p>
        )}
        <Answered attempt={attempt} />
        {request_headers !== null && (
          <Code text={request_headers.trimEnd()} label={t('Request headers')} wraps />
        )}
        {command !== null && (
          <div className="flex">
            <Copy text={command} what={t('as curl')} label={t('Copy as curl')} variant="quiet" size="small" />
          </div>
        )}
      </div>
    </details>
  );
}

function Answered({ attempt }: { attempt: Attempt }): ReactNode {
  const { response, response_headers, response_is_cut } = attempt;
  if (response === null) return null;
  return (
    <>
      {response === '' ? (
        <p className="text-sm text-quiet">{t('The answer had no body.')}</p>
      ) : (
        <JsonView text={response} label={response_is_cut ? t('Answer, its beginning') : t('Answer')} />
      )}
      {response_headers !== null && response_headers !== '' && (
        <Code text={response_headers.trimEnd()} label={t('Answer’s headers')} wraps />
      )}
    </>
  );
}
