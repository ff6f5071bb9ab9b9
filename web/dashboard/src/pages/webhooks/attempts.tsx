import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Section } from '../../ui/card.tsx';
import { Code } from '../../ui/code.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Time } from '../../ui/time.tsx';
import { durationText, explain } from './explain.ts';
import type { Attempt, DeliveryDetail } from './types.ts';

/** Each attempt, the newest first and open: what was sent, and what came back. */
export function Attempts({ delivery: { attempts, attempt_count } }: { delivery: DeliveryDetail }): ReactNode {
  if (attempts.length === 0) return null;
  return (
    <Section title={attempt_count === 1 ? 'One attempt' : `${attempt_count} attempts`}>
      <ol className="grid min-w-0 gap-2">
        {attempts.map((attempt, index) => (
          <li key={attempt.n} className="min-w-0">
            <OneAttempt attempt={attempt} isOpen={index === 0} />
          </li>
        ))}
      </ol>
      {attempt_count > attempts.length && (
        <p className="text-sm text-quiet">The newest {attempts.length} are shown.</p>
      )}
    </Section>
  );
}

function OneAttempt({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }): ReactNode {
  const { n, at, status_code, duration_ms } = attempt;
  const isTaken = status_code !== null && status_code >= 200 && status_code < 300;
  const { what, todo } = explain(attempt);
  return (
    <details open={isOpen} className="group min-w-0 rounded-lg border border-line bg-surface">
      <summary className="flex flex-wrap items-center gap-x-3 gap-y-0.5 rounded-lg px-3 py-2.5 text-sm tabular-nums hover:bg-sunken">
        <ChevronRight
          size={16}
          aria-hidden
          className="text-quiet transition-transform group-open:rotate-90"
        />
        <span className="text-quiet">{n}.</span>
        <strong className={isTaken ? 'text-paid' : 'text-lost'}>{status_code ?? 'No answer'}</strong>
        <span className="text-quiet">{durationText(duration_ms)}</span>
        <span className="ml-auto text-quiet">
          <Time at={at} exact />
        </span>
      </summary>
      <div className="grid min-w-0 gap-3 border-t border-line p-3">
        {!isTaken && (
          <p className="text-sm">
            {what} {todo}
          </p>
        )}
        <Answered attempt={attempt} />
        {attempt.request_headers !== null && (
          <Code text={attempt.request_headers.trimEnd()} label="Request headers" />
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
        <p className="text-sm text-quiet">The answer had no body.</p>
      ) : (
        <JsonView text={response} label={response_is_cut ? 'Answer, its beginning' : 'Answer'} />
      )}
      {response_headers !== null && response_headers !== '' && (
        <Code text={response_headers.trimEnd()} label="Answer’s headers" />
      )}
    </>
  );
}
