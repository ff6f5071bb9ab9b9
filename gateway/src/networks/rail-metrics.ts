import { Counter, type Registry } from 'prom-client';
import { onceAScrape, registerGauge, type Sample } from '../kit/db/gauge.ts';
import { smallNumber } from '../money/small-number.ts';
import type { EndpointReport, RailHealth, RailProbe } from '../rails/health.ts';
import type { Observation } from '../rails/rail.ts';

/** Counts what the scans of this process reported of transfers. */
export type TransferCounter = {
  count(rail: string, state: Observation['state']): void;
  register(registry: Registry): void;
};

export function createTransferCounter(): TransferCounter {
  const transfers = new Counter({
    name: 'florin_chain_transfers_total',
    help: 'What this process reported of transfers: seen, final or gone; each confirmation counts as seen.',
    labelNames: ['chain', 'state'],
    registers: [],
  });
  return {
    count: (chain, state) => transfers.inc({ chain, state }),
    register: (registry) => registry.registerMetric(transfers),
  };
}

/** The health of the chains, for Prometheus: the same in every process. */
export function createRailMetrics(registry: Registry, probes: readonly RailProbe[]): void {
  const readChains = onceAScrape(() => Promise.all(probes.map((probe) => probe())));
  const gauge = (name: string, help: string, labelNames: string[], sample: (chain: RailHealth) => Sample[]) =>
    registerGauge(registry, {
      name: `florin_chain_${name}`,
      help,
      labelNames: ['chain', ...labelNames],
      async read() {
        const chains = await readChains();
        return chains.flatMap((chain) =>
          sample(chain).map(({ labels, value }) => ({ labels: { chain: chain.rail, ...labels }, value })),
        );
      },
    });
  const block = (number: bigint | null | undefined): Sample[] =>
    number === null || number === undefined ? [] : [{ labels: {}, value: smallNumber(number) }];
  const endpoints = (value: (endpoint: EndpointReport) => number | null) => (chain: RailHealth) =>
    (chain.scan?.endpoints ?? []).flatMap((endpoint) => {
      const found = value(endpoint);
      return found === null ? [] : [{ labels: { endpoint: endpoint.name }, value: found }];
    });

  gauge('up', '1 while the scan of the chain keeps up, 0 while it is behind or down.', [], ({ status }) => [
    { labels: {}, value: status === 'up' ? 1 : 0 },
  ]);
  gauge('head_block', 'Newest block of the chain.', [], ({ scan }) => block(scan?.head));
  gauge('seen_block', 'Newest block whose transfers were noted.', [], ({ lastBlock }) => block(lastBlock));
  gauge('final_block', 'Newest block whose transfers are booked.', [], ({ scan }) => block(scan?.final));
  gauge('blocks_behind', 'Blocks between the scan and the head.', [], ({ scan }) => [
    { labels: {}, value: scan?.blocksBehind ?? 0 },
  ]);
  gauge('faults', 'What keeps money from being taken or counted, by code.', ['code'], ({ faults }) =>
    Object.entries(Object.groupBy(faults, ({ code }) => code)).map(([code, found]) => ({
      labels: { code },
      value: found.length,
    })),
  );
  const isUp = ({ state }: EndpointReport) => (['up', 'unused', 'behind'].includes(state) ? 1 : 0);
  gauge(
    'endpoint_up',
    '1 while the endpoint is asked, 0 while it is left alone.',
    ['endpoint'],
    endpoints(isUp),
  );
  gauge(
    'endpoint_latency_seconds',
    'How long an exchange with the endpoint takes, on average.',
    ['endpoint'],
    endpoints(({ latencyMs }) => latencyMs && latencyMs / 1000),
  );
}
