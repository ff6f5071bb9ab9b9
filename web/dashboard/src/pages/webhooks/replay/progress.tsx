import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { counted, t } from '../../../texts/t.ts';
import { Button, buttonClass } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Progress } from '../../../ui/feedback/progress.tsx';
import type { Endpoint, Replay } from '../types/endpoint.ts';
import { countText, useReplay } from './replay.ts';

export type ReplayProgressProps = { endpoint: Endpoint; begun: Replay; onClose: () => void };

/** How far a replay has come. It goes on when this is closed. */
export function ReplayProgress({ endpoint, begun, onClose }: ReplayProgressProps): ReactNode {
  const replay = useReplay(endpoint.id, begun.status === 'running').data ?? begun;
  const { status, count, total } = replay;
  const isDone = status === 'done';
  return (
    <Dialog
      open
      onClose={onClose}
      title={isDone ? t('On the way') : t('Sending again')}
      footer={
        <>
          <Link
            to="."
            search={{ tab: 'deliveries', endpoint: endpoint.id }}
            className={buttonClass()}
            onClick={onClose}
          >
            {t('See the deliveries')}
          </Link>
          <Button variant="primary" onClick={onClose}>
            {t('Done')}
          </Button>
        </>
      }
    >
      {isDone ? (
        <Banner tone="paid" role="status">
          {counted(
            count,
            'One delivery is on the way, in the order in which the events happened.',
            '{deliveries} deliveries are on the way, in the order in which the events happened.',
            { deliveries: countText(count) },
          )}
        </Banner>
      ) : (
        <>
          <Progress
            label={t('Queued')}
            value={total === null ? null : count}
            max={Math.max(1, total ?? 1)}
            text={
              total === null
                ? countText(count)
                : t('{count} of {total}', { count: countText(count), total: countText(total) })
            }
          />
          <p className="text-sm text-quiet">{t('You may close this: it goes on by itself.')}</p>
        </>
      )}
    </Dialog>
  );
}
