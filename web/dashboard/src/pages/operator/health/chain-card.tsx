import { CircleCheck, CircleOff, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Progress } from '../../../ui/feedback/progress.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ChainEndpoints } from './chain-endpoints.tsx';
import { ChainFaults } from './chain-faults.tsx';
import { isPi } from './pi-fault-words.ts';
import type { RailHealth, ScanHealth } from './queries.ts';

/** One chain: how far it was read, its faults and its endpoints. */
export function ChainCard({ health }: { health: RailHealth }): ReactNode {
  const { rail, chain, scan, status, faults } = health;
  return (
    <Card
      title={
        <>
          {chain} <span className="font-normal text-quiet">{rail}</span>
        </>
      }
      description={<Blocks health={health} />}
      actions={<RailBadge status={status} />}
    >
      <ChainFaults rail={rail} faults={faults} />
      {scan && status !== 'down' && <CatchingUp scan={scan} />}
      {scan && scan.endpoints.length > 0 && (
        <ChainEndpoints
          chain={chain ?? rail}
          endpoints={scan.endpoints}
          used={health.endpoint}
          hasBlocks={!isPi(rail)}
        />
      )}
    </Card>
  );
}

const looks = {
  up: { tone: 'paid', icon: CircleCheck, words: t('Up') },
  behind: { tone: 'waiting', icon: TriangleAlert, words: t('Behind') },
  down: { tone: 'lost', icon: CircleOff, words: t('Down') },
} as const;

export function RailBadge({ status }: { status: RailHealth['status'] }): ReactNode {
  const { tone, icon, words } = looks[status];
  return (
    <Badge tone={tone} icon={icon}>
      {words}
    </Badge>
  );
}

function Blocks({ health: { rail, last_block, scan } }: { health: RailHealth }): ReactNode {
  if (isPi(rail)) return <Ledgers head={scan?.head ?? null} last={last_block} />;
  if (last_block === null) return t('No block was read yet.');
  return (
    <span className="tabular-nums">
      {t('Read to block {last_block}', { last_block: figure(last_block) })}
      {scan?.final != null && <>{t(', booked to block {final}', { final: figure(scan.final) })}</>}
      {scan?.head != null && <>{t('. The chain is at {head}', { head: figure(scan.head) })}</>}.
    </span>
  );
}

/** A ledger of the Pi network is final as soon as it exists. */
function Ledgers({ head, last }: { head: string | null; last: string | null }): ReactNode {
  if (last === null) return t('No ledger was read yet.');
  return (
    <span className="tabular-nums">
      {t('Read and booked to ledger {last}', { last: figure(last) })}
      {head !== null && <>{t('. The network is at {head}', { head: figure(head) })}</>}.
    </span>
  );
}

function CatchingUp({ scan }: { scan: ScanHealth }): ReactNode {
  if (scan.caught_up === null) return null;
  const { blocks_behind, blocks_per_second, seconds_left } = scan;
  const speed =
    blocks_per_second === null
      ? ''
      : t(', {blocks_per_second} a second', { blocks_per_second: figure(Math.round(blocks_per_second)) });
  const left =
    seconds_left === null ? '' : t(', about {seconds_left} left', { seconds_left: duration(seconds_left) });
  return (
    <Progress
      label={t('Catching up')}
      value={scan.caught_up}
      max={1}
      text={`${t('{blocks} blocks to go', { blocks: figure(blocks_behind) })}${speed}${left}`}
    />
  );
}

const figure = (number: number | string): string => BigInt(number).toLocaleString('en');

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
