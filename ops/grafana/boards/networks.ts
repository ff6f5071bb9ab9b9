import type { Board } from '../board.ts';

const chain = 'instance=~"$instance",chain=~"$chain"';
const of = 'instance=~"$instance"';

/** How far each network is read, what keeps money from being taken there, its endpoints, and rates. */
export const networks: Board = {
  name: 'networks',
  title: 'networks',
  about: 'How far each network is read, what keeps money from being taken there, its endpoints, and rates.',
  narrowedBy: [{ label: 'chain', metric: 'florin_chain_up' }],
  rows: [
    {
      title: 'Now',
      panels: [
        {
          ...{ title: 'Scans', kind: 'number', unit: 'none', columns: 12 },
          about: 'Whether the scan of each network keeps up.',
          lines: [{ expr: `max by (chain) (florin_chain_up{${chain}})`, legend: '{{chain}}' }],
          thresholds: [{ color: 'red' }, { color: 'green', from: 1 }],
          words: { 0: { text: 'down', color: 'red' }, 1: { text: 'up', color: 'green' } },
        },
        {
          ...{ title: 'Endpoints asked', kind: 'number', unit: 'short', columns: 12 },
          about: 'Of each network. With fewer than two nothing is compared.',
          lines: [
            {
              expr: `sum by (chain) (max by (chain, endpoint) (florin_chain_endpoint_up{${chain}}))`,
              legend: '{{chain}}',
            },
          ],
          thresholds: [{ color: 'red' }, { color: 'yellow', from: 1 }, { color: 'green', from: 2 }],
        },
        {
          ...{ title: 'Faults', kind: 'list', unit: 'short', columns: 12 },
          about:
            'What keeps money from being taken or counted, by code. The table of chains says what to do.',
          lines: [
            {
              expr: `max by (chain, code) (florin_chain_faults{${chain}}) > 0`,
              legend: '{{chain}} {{code}}',
            },
          ],
          thresholds: [{ color: 'green' }, { color: 'red', from: 1 }],
        },
        {
          ...{ title: 'Faults over time', kind: 'curve', unit: 'short', columns: 12, isStacked: true },
          about: 'By network and code.',
          lines: [
            { expr: `max by (chain, code) (florin_chain_faults{${chain}})`, legend: '{{chain}} {{code}}' },
          ],
        },
      ],
    },
    {
      title: 'Scans',
      panels: [
        {
          ...{ title: 'Blocks behind', kind: 'curve', unit: 'short' },
          about: 'Between the scan and the head of the network.',
          lines: [{ expr: `max by (chain) (florin_chain_blocks_behind{${chain}})`, legend: '{{chain}}' }],
        },
        {
          ...{ title: 'Not final yet', kind: 'curve', unit: 'short' },
          about:
            'Blocks from the newest one to the newest whose transfers are booked; and to the newest that is noted.',
          lines: [
            {
              expr: `max by (chain) (florin_chain_head_block{${chain}}) - max by (chain) (florin_chain_final_block{${chain}})`,
              legend: '{{chain}} to book',
            },
            {
              expr: `max by (chain) (florin_chain_head_block{${chain}}) - max by (chain) (florin_chain_seen_block{${chain}})`,
              legend: '{{chain}} to note',
            },
          ],
        },
        {
          ...{ title: 'Transfers', kind: 'curve', unit: 'short' },
          about: 'A minute, as they were reported: seen (each confirmation counts), final or gone.',
          lines: [
            {
              expr: `sum by (chain, state) (60 * rate(florin_chain_transfers_total{${chain}}[$__rate_interval]))`,
              legend: '{{chain}} {{state}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Endpoints',
      panels: [
        {
          ...{ title: 'How long an exchange takes', kind: 'curve', unit: 's', columns: 12 },
          about: 'On average, by endpoint.',
          lines: [
            {
              expr: `max by (chain, endpoint) (florin_chain_endpoint_latency_seconds{${chain}})`,
              legend: '{{chain}} {{endpoint}}',
            },
          ],
        },
        {
          ...{ title: 'Asked', kind: 'curve', unit: 'none', columns: 12 },
          about: '1 while the endpoint is asked, 0 while it is left alone.',
          lines: [
            {
              expr: `max by (chain, endpoint) (florin_chain_endpoint_up{${chain}})`,
              legend: '{{chain}} {{endpoint}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Rates',
      panels: [
        {
          ...{ title: 'Without a rate', kind: 'list', unit: 'short' },
          about: 'Pairs of offered currencies. Prices in them are refused.',
          lines: [
            {
              expr: `max by (currency, price_currency) (florin_rate_missing{${of}}) > 0`,
              legend: '{{currency}}/{{price_currency}}',
            },
          ],
          thresholds: [{ color: 'green' }, { color: 'red', from: 1 }],
        },
        {
          ...{ title: 'Age', kind: 'curve', unit: 's' },
          about: 'Since the newest answer about a pair.',
          lines: [
            {
              expr: `min by (currency, price_currency) (florin_rate_age_seconds{${of}})`,
              legend: '{{currency}}/{{price_currency}}',
            },
          ],
        },
        {
          ...{ title: 'Sources that fail, coins that are away', kind: 'curve', unit: 'none' },
          about:
            '1: the source gave nothing when it was last asked, or the coin is more than 2 % away from 1 USD.',
          lines: [
            { expr: `max by (source) (florin_rate_source_failing{${of}})`, legend: '{{source}} fails' },
            { expr: `max by (currency) (florin_rate_away{${of}})`, legend: '{{currency}} away' },
          ],
        },
      ],
    },
  ],
};
