import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { amountText, assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { Money } from '../../ui/display/money.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import type { PayoutSchedule } from './queries.ts';
import { periodNames } from './words.ts';

type Props = { schedule: PayoutSchedule; may: boolean; onEnd: () => void };

/** One schedule, with everything that is approved. */
export function ScheduleCard({ schedule, may, onEnd }: Props): ReactNode {
  const { path } = useScope();
  const { asset, every, most, next_at: next, last_at: last } = schedule;
  const approve = useAct(() => api(path(`/payout-schedules/${schedule.id}/approve`), { body: {} }), {
    changes: [path('/payout-schedules')],
    done: t('Schedule approved'),
  });
  const isWaiting = next === null;
  const mayApprove = may && isWaiting && !schedule.asked_by_you && !schedule.approved_by_you;
  return (
    <Card
      title={t('Each {every}: up to {most} {asset}', {
        every: periodNames[every],
        most: amountText(most),
        asset: assetName(asset),
      })}
      description={isWaiting ? t('Waits for approval. Nothing is sent before.') : undefined}
    >
      <DefinitionList
        facts={[
          [t('Stays in the balance'), <Money key="keep" amount={schedule.keep} currency={asset} />],
          [t('To'), schedule.label],
          [
            t('Address'),
            <span key="address" className="font-mono">
              {schedule.address}
            </span>,
          ],
          [t('Memo'), schedule.memo],
          [t('Set up by'), schedule.requester],
          [t('Approved by'), schedule.approved_by.length > 0 ? schedule.approved_by.join(', ') : undefined],
          [t('Next time'), next && <Time at={next} exact />],
          [
            t('Last time'),
            last && (
              <>
                <Time at={last} exact />: {schedule.last_skip ?? t('a payout was ordered')}
              </>
            ),
          ],
        ]}
      />
      {may && (
        <div className="flex flex-wrap gap-2">
          {mayApprove && (
            <Button variant="primary" pending={approve.isPending} onClick={() => approve.mutate()}>
              {t('Approve')}
            </Button>
          )}
          <Button onClick={onEnd}>{t('End it')}</Button>
        </div>
      )}
    </Card>
  );
}
