import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { EndDialog, type Ending } from './decide-dialog.tsx';
import type { ConsolePayout } from './queries.ts';
import type { Side } from './side.ts';
import { whyNotApprove, whyNotEnd } from './words.ts';

/** What this person may do with a payout that has not left. */
export function PayoutActions({ side, payout }: { side: Side; payout: ConsolePayout }): ReactNode {
  const [ending, setEnding] = useState<Ending>();
  const changes = [...side.changes];
  const approve = useAct(() => api(`${side.base}/${payout.id}/approve`, { body: {} }), {
    changes,
    done: t('Payout approved'),
  });
  const cancel = useAct(() => api(`${side.base}/${payout.id}/cancel`, { body: {} }), {
    changes,
    done: t('Payout cancelled. Nothing was sent.'),
  });
  const isWaiting = payout.status === 'awaiting_approval';
  if (!side.may || !(isWaiting || payout.status === 'queued')) return null;
  const whyNot = whyNotApprove(payout, side.as);
  const isOperator = side.as === 'operator';
  const whyKept = whyNotEnd(payout, side.as);
  return (
    <div className="grid gap-2">
      {isWaiting && whyNot !== null && <p className="text-sm text-quiet">{whyNot}</p>}
      {whyKept !== null && <p className="text-sm text-quiet">{whyKept}</p>}
      <div className="flex flex-wrap gap-2">
        {isWaiting && whyNot === null && (
          <Button variant="primary" pending={approve.isPending} onClick={() => approve.mutate()}>
            {t('Approve')}
          </Button>
        )}
        {isWaiting && (isOperator || !payout.asked_by_you) && (
          <Button onClick={() => setEnding('reject')}>{t('Reject')}</Button>
        )}
        {!isOperator && whyKept === null && (
          <Button pending={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('Cancel it')}
          </Button>
        )}
        {isOperator && !isWaiting && whyKept === null && (
          <Button onClick={() => setEnding('fail')}>{t('Let it fail')}</Button>
        )}
      </div>
      {ending && (
        <EndDialog side={side} payout={payout} ending={ending} onClose={() => setEnding(undefined)} />
      )}
    </div>
  );
}
