import { DatabaseBackup, FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { DrillCard } from './drill-card.tsx';
import { BackupFiles } from './files.tsx';
import { type BackupsView, useBackups, useOrderBackup, useOrderDrill } from './queries.ts';

/** The backups of the installation, and whether the last one that was tried can be restored. */
export function BackupsPage(): ReactNode {
  return (
    <>
      <PageHeader
        title={t('Backups')}
        description={t('Copies of the whole database, and the trial of each week.')}
      />
      <Loaded query={useBackups()}>
        {(backups) => (backups.place === null ? <None /> : <Kept backups={backups} place={backups.place} />)}
      </Loaded>
    </>
  );
}

function None(): ReactNode {
  return (
    <EmptyState
      icon={DatabaseBackup}
      title={t('No backups are made')}
      code="BACKUP_TO=s3://… BACKUP_RECIPIENT=age1…"
    >
      {t(
        'Set where they are kept, and the public key that they are encrypted to. florin backup key makes one.',
      )}
    </EmptyState>
  );
}

function Kept({ backups, place }: { backups: BackupsView; place: string }): ReactNode {
  return (
    <>
      <Faults backups={backups} />
      <Schedule backups={backups} place={place} />
      <DrillCard drill={backups.drill} drillKey={backups.drill_key} />
      <BackupFiles />
    </>
  );
}

const faultWords: Record<BackupsView['faults'][number]['what'], string> = {
  backup_missing: t('A backup is missing'),
  drill_failed: t('The last backup that was tried is not right'),
  drill_missing: t('No backup was tried for too long'),
};

/** What is missing for a safe installation. */
function Faults({ backups }: { backups: BackupsView }): ReactNode {
  const { faults, archive, is_encrypted: isEncrypted, drill_days: drillDays } = backups;
  return (
    <>
      {faults.map(({ what, since, why }) => (
        <Banner key={what} tone="lost" title={faultWords[what]}>
          {rich('Since {time}.', { time: <Time at={since} /> })} {why}
          {what === 'drill_missing' && why === null && t('The role of MIGRATE_DATABASE_URL needs CREATEDB.')}
        </Banner>
      ))}
      {archive?.is_behind && (
        <Banner tone="lost" title={t('Changes of the database are not archived')}>
          {rich('Since {time}.', { time: <Time at={archive.kept_until} /> })} {archive.fault}
        </Banner>
      )}
      {!isEncrypted && (
        <Banner tone="waiting" title={t('Backups are not encrypted')}>
          {t('Whoever can read the directory can read names, addresses and mails. Set BACKUP_RECIPIENT.')}
        </Banner>
      )}
      {drillDays === 0 && (
        <Banner tone="waiting" title={t('Backups are not tried')}>
          {t('BACKUP_DRILL is 0, so nobody knows whether they can be restored.')}
        </Banner>
      )}
    </>
  );
}

function Schedule({ backups, place }: { backups: BackupsView; place: string }): ReactNode {
  const { is_running: isRunning, ordered, keep, archive, next_at: next, last_good_at: last } = backups;
  const makes = useOrderBackup();
  const tries = useOrderDrill();
  const waits = isRunning || ordered.length > 0;
  return (
    <Card
      title={t('Schedule')}
      description={
        isRunning ? t('A backup is being made.') : waits ? t('A backup begins within seconds.') : undefined
      }
      actions={
        <>
          <Button pending={tries.isPending} disabled={waits} onClick={() => tries.mutate()}>
            <FlaskConical size={16} aria-hidden /> {t('Try now')}
          </Button>
          <Button variant="primary" pending={makes.isPending} disabled={waits} onClick={() => makes.mutate()}>
            <DatabaseBackup size={16} aria-hidden /> {t('Back up now')}
          </Button>
        </>
      }
    >
      <DefinitionList
        facts={[
          [
            t('Kept in'),
            <span key="place" className="font-mono">
              {place}
            </span>,
          ],
          [t('Last good backup'), last === null ? t('None yet') : <Time key="last" at={last} />],
          [
            t('Can be restored up to'),
            archive === null ? null : <Time key="archive" at={archive.kept_until} />,
          ],
          [t('Next one'), next === null ? null : <Time key="next" at={next} />],
          [
            t('Kept for'),
            t('{days} days, {weeks} weeks, {months} months', {
              days: keep.days,
              weeks: keep.weeks,
              months: keep.months,
            }),
          ],
        ]}
      />
    </Card>
  );
}
