import { BookOpenCheck, CircleAlert, CircleCheck, CircleOff, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Progress } from '../../../ui/feedback/progress.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { List } from '../../../ui/list/list.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { type AuditRun, useAuditRuns, useStartAudit } from './queries.ts';

/** Audits of the whole ledger: recomputed from its entries, with their findings. */
export function LedgerAudits(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const runs = useAuditRuns(cursor);
  const { mutate: start, isPending } = useStartAudit();
  const running = runs.data?.items.find(({ state }) => state === 'running');
  const faulty = runs.data?.items[0]?.state === 'faults' ? runs.data.items[0] : undefined;
  return (
    <>
      <Card
        title={t('Check the books')}
        description={t(
          'Recomputes every balance from its entries, and checks that every asset sums to zero. Payments continue meanwhile.',
        )}
        actions={
          <Button
            variant="primary"
            pending={isPending}
            disabled={running !== undefined}
            onClick={() => start()}
          >
            <BookOpenCheck size={16} aria-hidden /> {t('Audit the ledger now')}
          </Button>
        }
      >
        {running && (
          <Progress
            label={t('The audit is under way')}
            value={running.checks_done}
            max={running.checks_total}
            text={t('{checksDone} of {checksTotal} checks', {
              checksDone: running.checks_done,
              checksTotal: running.checks_total,
            })}
          />
        )}
      </Card>
      {faulty?.report && <Findings findings={faulty.report.findings} />}
      <List
        list={runs}
        caption={t('Audits')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={BookOpenCheck} title={t('No audit yet')} code="npm run florin -- audit">
            {t(
              'Start one above, or run it on the command line, whose exit code is the result for a nightly job:',
            )}
          </EmptyState>
        }
      />
    </>
  );
}

function Findings({ findings }: { findings: NonNullable<AuditRun['report']>['findings'] }): ReactNode {
  return (
    <Banner tone="lost" role="alert" title={t('The last audit found faults; no money was moved by it')}>
      <ul className="mt-1 grid gap-1">
        {findings.map(({ check, subject, found }) => (
          <li key={`${check} ${subject}`}>
            {rich('Failed: {check}. {span}: {found}', {
              check,
              span: <span className="font-mono">{subject}</span>,
              found,
            })}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

const looks = {
  running: { tone: 'waiting', icon: LoaderCircle, words: t('Under way') },
  clean: { tone: 'paid', icon: CircleCheck, words: t('Clean') },
  faults: { tone: 'lost', icon: CircleAlert, words: t('Faults') },
  failed: { tone: 'lost', icon: CircleOff, words: t('Failed') },
  lost: { tone: 'quiet', icon: CircleOff, words: t('Its process stopped') },
} as const;

const columns: Column<AuditRun>[] = [
  {
    key: 'state',
    head: t('Result'),
    cell: ({ state }) => (
      <Badge tone={looks[state].tone} icon={looks[state].icon}>
        {looks[state].words}
      </Badge>
    ),
  },
  { key: 'at', head: t('Started'), cell: ({ started_at }) => <Time at={started_at} /> },
  { key: 'by', head: t('By'), from: 'sm', cell: ({ asked_by }) => asked_by },
  {
    key: 'scope',
    head: t('Checked'),
    align: 'end',
    from: 'md',
    cell: ({ report, error }) =>
      report
        ? t('{accounts} accounts, {transfers} transfers', {
            accounts: count(report.accounts),
            transfers: count(report.transfers),
          })
        : (error ?? '–'),
  },
];

function count(n: number): string {
  return n.toLocaleString('en');
}
