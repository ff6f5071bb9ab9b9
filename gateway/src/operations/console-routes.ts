import type { Console } from '../identity/console/console.ts';
import { after, type Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import type { EndpointReport, RailHealth, RailProbe, ScanHealth } from '../rails/rail.ts';
import { ProcessPage, RailPage } from './console-answers.ts';
import { heartbeatMs, processReports } from './heartbeat.ts';

export type HealthDeps = { db: Database; now: Clock; rails: readonly RailProbe[] };

/** A process that missed this many heartbeats counts as ended. */
const missedHeartbeats = 3;

/** The state of the processes and rails of this installation. */
export function healthConsoleRoutes(dashboard: Console, { db, now, rails }: HealthDeps): void {
  dashboard.get('operator', '/processes', { answer: ProcessPage }, async () => {
    const aliveSince = after(now(), (-missedHeartbeats * heartbeatMs) / 1000);
    const items = (await processReports(db)).map(({ started_at, seen_at, ...report }) => ({
      ...report,
      is_alive: seen_at > aliveSince,
      started_at: started_at.toISOString(),
      seen_at: seen_at.toISOString(),
    }));
    return { message: 'Processes', data: { items, next_cursor: null } };
  });

  dashboard.get('operator', '/rails', { answer: RailPage }, async () => {
    const items = (await Promise.all(rails.map((probe) => probe()))).map(railAnswer);
    return { message: 'Rails', data: { items, next_cursor: null } };
  });
}

function railAnswer({ scan, ...health }: RailHealth) {
  return {
    rail: health.rail,
    chain: health.chain,
    last_block: health.lastBlock?.toString() ?? null,
    lag_seconds: health.lagSeconds,
    endpoint: health.endpoint,
    status: health.status,
    faults: health.faults,
    scan: scan && scanAnswer(scan),
  };
}

function scanAnswer(scan: ScanHealth) {
  return {
    head: scan.head?.toString() ?? null,
    final: scan.final?.toString() ?? null,
    blocks_behind: scan.blocksBehind,
    blocks_per_second: scan.blocksPerSecond,
    seconds_left: scan.secondsLeft,
    caught_up: scan.caughtUp,
    endpoints: scan.endpoints.map(endpointAnswer),
  };
}

function endpointAnswer({ name, state, fault, ...figures }: EndpointReport) {
  return {
    name,
    state,
    fault,
    latency_ms: figures.latencyMs,
    lag_blocks: figures.lagBlocks,
    span: figures.span,
    retry_seconds: figures.retrySeconds,
  };
}
