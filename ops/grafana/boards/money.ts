import type { Board } from '../board.ts';

const asset = 'instance=~"$instance",asset=~"$asset"';
const of = 'instance=~"$instance"';

/** What is owed and held, what waits for a decision, sweeps, and the hash chain. */
export const money: Board = {
  name: 'money',
  title: 'money',
  about:
    'What is owed and held in live mode, what waits for a decision, sweeps, and the hash chain over the ledger.',
  narrowedBy: [{ label: 'asset', metric: 'florin_reserves_owed' }],
  rows: [
    {
      title: 'Reserves',
      panels: [
        {
          ...{ title: 'Missing', kind: 'number', unit: 'short', columns: 6 },
          about: 'Assets of which less is held than is owed and explained. Any is an alert.',
          lines: [
            {
              expr: `count(min by (asset) (florin_reserves_difference{${asset}}) < 0) or vector(0)`,
              legend: 'assets',
            },
          ],
          thresholds: [{ color: 'green' }, { color: 'red', from: 1 }],
        },
        {
          ...{ title: 'Not explained', kind: 'number', unit: 'short', columns: 6 },
          about: 'Assets of which more is held than is owed and explained.',
          lines: [
            {
              expr: `count(max by (asset) (florin_reserves_difference{${asset}}) > 0) or vector(0)`,
              legend: 'assets',
            },
          ],
          thresholds: [{ color: 'green' }, { color: 'yellow', from: 1 }],
        },
        {
          ...{ title: 'Last compared', kind: 'number', unit: 's', columns: 6 },
          about: 'They are compared every ten minutes.',
          lines: [{ expr: `min(florin_reserves_age_seconds{${of}})`, legend: 'ago' }],
          thresholds: [{ color: 'green' }, { color: 'yellow', from: 1200 }, { color: 'red', from: 3600 }],
        },
        {
          ...{ title: 'Left without an order', kind: 'number', unit: 'short', columns: 6 },
          about:
            'Transfers that left a treasury, a vault or the account of Pi without an order, and are nobody’s yet.',
          lines: [
            {
              expr: `sum(max by (rail, asset) (florin_treasury_unordered{${asset}})) or vector(0)`,
              legend: 'transfers',
            },
          ],
          thresholds: [{ color: 'green' }, { color: 'red', from: 1 }],
        },
        {
          ...{ title: 'Owed and held', kind: 'curve', unit: 'short', columns: 12 },
          about:
            'Live money that is owed to businesses, users and customers, with fees and suspense; and what networks show.',
          lines: [
            { expr: `max by (asset) (florin_reserves_owed{${asset}})`, legend: '{{asset}} owed' },
            { expr: `max by (asset) (florin_reserves_held{${asset}})`, legend: '{{asset}} held' },
          ],
        },
        {
          ...{ title: 'Difference', kind: 'list', unit: 'short', columns: 12 },
          about: 'What is held beyond what is owed and explained. Below zero, money is missing.',
          lines: [{ expr: `min by (asset) (florin_reserves_difference{${asset}})`, legend: '{{asset}}' }],
          thresholds: [{ color: 'red' }, { color: 'green', from: 0 }, { color: 'yellow', from: 1e-18 }],
        },
        {
          ...{ title: 'Held for each one owed', kind: 'curve', unit: 'percentunit', columns: 12 },
          about: '100 % or more.',
          lines: [{ expr: `min by (asset) (florin_reserves_ratio{${asset}})`, legend: '{{asset}}' }],
          thresholds: [{ color: 'red' }, { color: 'green', from: 1 }],
        },
        {
          ...{ title: 'Unmatched deposits', kind: 'curve', unit: 'short', columns: 12 },
          about: 'Transfers that named no payment and wait for a decision.',
          lines: [{ expr: `max by (rail) (florin_strays_open{${of}})`, legend: '{{rail}}' }],
        },
      ],
    },
    {
      title: 'Sweeps',
      panels: [
        {
          ...{ title: 'Sweeps an hour', kind: 'curve', unit: 'short', columns: 12 },
          about:
            'Transactions that came into each state. What moved on left its state, and is not counted below zero.',
          lines: [
            {
              expr: `clamp_min(max by (chain, state) (delta(florin_sweeps_transactions{${of},state=~"final|failed|replaced"}[1h])), 0)`,
              legend: '{{chain}} {{state}}',
            },
          ],
        },
        {
          ...{ title: 'Under way', kind: 'curve', unit: 'short', columns: 12 },
          about:
            'Transactions that are prepared, sent, or mined and not final yet; and deposits that could not be moved.',
          lines: [
            {
              expr: `max by (chain, state) (florin_sweeps_transactions{${of},state=~"prepared|sent|mined"})`,
              legend: '{{chain}} {{state}}',
            },
            { expr: `max by (chain) (florin_sweeps_left_behind{${of}})`, legend: '{{chain}} left behind' },
          ],
        },
        {
          ...{ title: 'Gas key', kind: 'curve', unit: 'short', columns: 12 },
          about: 'Native coins that the gas key holds.',
          lines: [{ expr: `max by (chain) (florin_sweeps_gas_key_coins{${of}})`, legend: '{{chain}}' }],
        },
        {
          ...{ title: 'Gas a day', kind: 'curve', unit: 'short', columns: 12 },
          about: 'Native coins that mined sweeps paid within a day.',
          lines: [
            { expr: `max by (chain) (delta(florin_sweeps_gas_paid_coins{${of}}[1d]))`, legend: '{{chain}}' },
          ],
        },
      ],
    },
    {
      title: 'Hash chain',
      panels: [
        {
          ...{ title: 'Newest stamp', kind: 'number', unit: 'short', columns: 6 },
          about: 'Its number.',
          lines: [{ expr: `max(florin_stamps_head{${of}})`, legend: 'stamp' }],
          thresholds: [{ color: 'blue' }],
        },
        {
          ...{ title: 'Its mark', kind: 'number', unit: 'none', columns: 6 },
          about:
            'The first 48 bits of its hash, as a number: Prometheus so keeps what the chain was at each time.',
          lines: [{ expr: `max(florin_stamps_head_mark{${of}})`, legend: 'mark' }],
          thresholds: [{ color: 'blue' }],
        },
        {
          ...{ title: 'Oldest row without a stamp', kind: 'curve', unit: 's', columns: 6 },
          about: 'Rows wait for a second or two. Above a minute an alert comes.',
          lines: [{ expr: `max(florin_unstamped_age_seconds{${of}})`, legend: 'waits' }],
          thresholds: [{ color: 'green' }, { color: 'red', from: 60 }],
        },
        {
          ...{ title: 'Rows without a stamp', kind: 'curve', unit: 'short', columns: 6 },
          about: 'Of the ledger and the audit log, at most.',
          lines: [{ expr: `max(florin_unstamped_rows{${of}})`, legend: 'rows' }],
        },
      ],
    },
  ],
};
