import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { counted, t } from '../../../texts/t.ts';
import { Stat } from '../../../ui/display/stat.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import type { ProcessReport, QueueState, RailHealth } from '../health/queries.ts';

export type HealthNowProps = {
  rails: RailHealth[];
  processes: ProcessReport[];
  /** Of live mode. */
  queue: QueueState['live'];
};

/** Whether networks are read, gateways run and webhooks are sent on time. */
export function HealthNow({ rails, processes, queue }: HealthNowProps): ReactNode {
  const faulty = rails.filter(({ status, faults }) => status !== 'up' || faults.length > 0);
  const alive = processes.filter((process) => process.is_alive);
  const stuck = alive.filter(({ loops }) => loops.some(({ last_fault }) => last_fault !== null));
  return (
    <Section title={t('Health')}>
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat
          label={t('Networks')}
          tone={faulty.length > 0 ? 'lost' : 'paid'}
          value={
            <ToHealth>
              {faulty.length === 0
                ? t('All are read')
                : t('{faulty} of {total} with faults', { faulty: faulty.length, total: rails.length })}
            </ToHealth>
          }
          hint={faulty.length === 0 ? t('No fault is known') : faulty.map(({ rail }) => rail).join(', ')}
        />
        <Stat
          label={t('Processes')}
          tone={alive.length === 0 || stuck.length > 0 ? 'lost' : 'paid'}
          value={<ToHealth>{counted(alive.length, '1 runs', '{count} run')}</ToHealth>}
          hint={stuck.length === 0 ? t('All loops work') : t('Faults in {count}', { count: stuck.length })}
        />
        <Stat
          label={t('Webhooks')}
          tone={queue.oldest_due_at === null ? 'paid' : 'waiting'}
          value={
            <ToHealth>
              {queue.oldest_due_at === null ? t('On time') : <Time at={queue.oldest_due_at} still />}
            </ToHealth>
          }
          hint={
            queue.oldest_due_at === null
              ? t('{pending} wait, with those for a retry', { pending: queue.pending.toLocaleString('en') })
              : t('The oldest that should have been sent')
          }
        />
      </div>
    </Section>
  );
}

function ToHealth({ children }: { children: ReactNode }): ReactNode {
  return (
    <Link to="/operator/health" className="row-link">
      {children}
    </Link>
  );
}
