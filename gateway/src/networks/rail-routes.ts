import type { Console } from '../identity/console/console.ts';
import type { EndpointReport, RailHealth, RailProbe, ScanHealth } from '../rails/health.ts';
import { RailPage } from './rail-answers.ts';

/** The health of each network, and of test mode, for operators. */
export function railConsoleRoutes(dashboard: Console, probes: readonly RailProbe[]): void {
  dashboard.get('operator', '/rails', { answer: RailPage }, async () => {
    const items = (await Promise.all(probes.map((probe) => probe()))).map(railAnswer);
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
