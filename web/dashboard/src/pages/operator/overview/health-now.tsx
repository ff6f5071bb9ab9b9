import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Stat } from '../../../ui/display/stat.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import type { ProcessReport, QueueState, RailHealth } from '../health/queries.ts';

export type HealthNowProps = { rails: RailHealth[]; processes: ProcessReport[]; queue: QueueState };

/** Whether networks are read, gateways run and webhooks are sent on time. */
export function HealthNow({ rails, processes, queue }: HealthNowProps): ReactNode {
  const faulty = rails.filter(({ status, faults }) => status !== 'up' || faults.length > 0);
  const alive = processes.filter((process) => process.is_alive);
  const stuck = alive.filter(({ loops }) => loops.some(hasFault));
  return (
    <Section title="Health">
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat
          label="Networks"
          tone={faulty.length > 0 ? 'lost' : 'paid'}
          value={
            <ToHealth>
              {faulty.length === 0 ? 'All are read' : `${faulty.length} of ${rails.length} with faults`}
            </ToHealth>
          }
          hint={faulty.length === 0 ? 'No fault is known' : faulty.map(({ rail }) => rail).join(', ')}
        />
        <Stat
          label="Processes"
          tone={alive.length === 0 || stuck.length > 0 ? 'lost' : 'paid'}
          value={<ToHealth>{alive.length === 1 ? '1 runs' : `${alive.length} run`}</ToHealth>}
          hint={stuck.length === 0 ? 'All loops work' : `Faults in ${stuck.length}`}
        />
        <Stat
          label="Webhooks"
          tone={queue.oldest_due_at === null ? 'paid' : 'waiting'}
          value={
            <ToHealth>
              {queue.oldest_due_at === null ? 'On time' : <Time at={queue.oldest_due_at} still />}
            </ToHealth>
          }
          hint={
            queue.oldest_due_at === null
              ? `${queue.pending.toLocaleString('en')} wait, with those for a retry`
              : 'The oldest that should have been sent'
          }
        />
      </div>
    </Section>
  );
}

function hasFault({ last_done_at, last_fault }: ProcessReport['loops'][number]): boolean {
  return last_fault !== null && (last_done_at === null || last_fault.at > last_done_at);
}

function ToHealth({ children }: { children: ReactNode }): ReactNode {
  return (
    <Link to="/operator/health" className="row-link">
      {children}
    </Link>
  );
}
