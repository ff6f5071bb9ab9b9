import { CalendarClock, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { amountText, assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { AddScheduleDialog } from './add-schedule-dialog.tsx';
import { type PayoutSchedule, usePayoutSchedules } from './queries.ts';
import { ScheduleCard } from './schedule-card.tsx';
import { periodNames } from './words.ts';

/** Payouts that repeat. */
export function Schedules(): ReactNode {
  const { path } = useScope();
  const may = useMay('make payouts');
  const schedules = usePayoutSchedules();
  const [adding, setAdding] = useState(false);
  const [ending, setEnding] = useState<PayoutSchedule>();

  return (
    <Section
      title={t('Scheduled payouts')}
      description={t(
        'What the balance has above an amount is paid out at 00:00 UTC, to an address of the book.',
      )}
      actions={
        may && (
          <Button onClick={() => setAdding(true)}>
            <Plus size={16} aria-hidden /> {t('Create a schedule')}
          </Button>
        )
      }
    >
      <Loaded query={schedules} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={CalendarClock} title={t('No schedule yet')}>
              {t('A schedule is approved once, with the most that one payout may be.')}
            </EmptyState>
          ) : (
            <div className="grid gap-4 lg:grid-cols-2">
              {items.map((schedule) => (
                <ScheduleCard
                  key={schedule.id}
                  schedule={schedule}
                  may={may}
                  onEnd={() => setEnding(schedule)}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {adding && <AddScheduleDialog onClose={() => setAdding(false)} />}
      <ConfirmDialog
        open={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title={t('End this schedule?')}
        action={t('End the schedule')}
        danger
        onConfirm={() => api(path(`/payout-schedules/${ending?.id}`), { method: 'DELETE' })}
        done={t('The schedule has ended')}
        changes={[path('/payout-schedules')]}
      >
        {ending && (
          <p>
            {t(
              'Nothing more is paid out by it: up to {most} {asset} each {every}. Payouts that it ordered go on.',
              {
                most: amountText(ending.most),
                asset: assetName(ending.asset),
                every: periodNames[ending.every],
              },
            )}
          </p>
        )}
      </ConfirmDialog>
    </Section>
  );
}
