import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { PayoutActions } from './payout-actions.tsx';
import { PayoutFacts } from './payout-facts.tsx';
import { type PayoutDetail, usePayout } from './queries.ts';
import type { Side } from './side.ts';
import { PayoutBadge } from './status.tsx';
import { moveWords, storyOf } from './words.ts';

type PayoutDrawerProps = { side: Side; id: string | undefined; onClose: () => void };

/** One payout: where it is, what it is, what happened to it, and what can be done. */
export function PayoutDrawer({ side, id, onClose }: PayoutDrawerProps): ReactNode {
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={t('Payout')}>
      {id !== undefined && <Detail key={id} side={side} id={id} />}
    </Drawer>
  );
}

function Detail({ side, id }: { side: Side; id: string }): ReactNode {
  const { data: payout, error, refetch } = usePayout<PayoutDetail>(side.base, id);
  if (!payout) {
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={6} />;
  }
  return (
    <>
      <div className="grid justify-items-start gap-2">
        <PayoutBadge status={payout.status} isHeldUp={payout.failure !== null} />
        <p className="text-sm text-pretty">{storyOf(payout)}</p>
      </div>
      <PayoutActions side={side} payout={payout} />
      <Section title={t('What leaves')}>
        <PayoutFacts side={side} payout={payout} />
      </Section>
      <Section title={t('What happened')}>
        <Timeline payout={payout} />
      </Section>
    </>
  );
}

type Entry = { key: string; at: string; words: string; more: string | null };

function Timeline({ payout }: { payout: PayoutDetail }): ReactNode {
  const entries: Entry[] = [
    ...payout.moves.map((move, index) => ({
      key: `move ${index}`,
      at: move.at,
      words: moveWords(move),
      more:
        index === 0 ? t('By {requester}', { requester: payout.requester }) : (move.why ?? move.transaction),
    })),
    ...payout.approvals.map(({ by, at }) => ({
      key: `by ${by}`,
      at,
      words: t('Approved'),
      more: t('By {by}', { by }),
    })),
  ].sort((one, other) => one.at.localeCompare(other.at));
  return (
    <ol className="grid gap-3 text-sm">
      {entries.map(({ key, at, words, more }) => (
        <li key={key} className="grid gap-0.5">
          <span className="flex flex-wrap items-center justify-between gap-2">
            <strong className="font-semibold">{words}</strong>
            <Time at={at} exact />
          </span>
          {more && <span className="text-quiet wrap-anywhere">{more}</span>}
        </li>
      ))}
    </ol>
  );
}
