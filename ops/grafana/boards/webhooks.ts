import type { Board } from '../board.ts';

const of = 'instance=~"$instance"';
const attempts = (selector = '') =>
  `rate(florin_webhook_attempt_seconds_count{${of}${selector}}[$__rate_interval])`;
const quantile = (share: number) =>
  `histogram_quantile(${share}, sum by (le) (rate(florin_webhook_attempt_seconds_bucket{${of}}[$__rate_interval])))`;

/** Webhooks that wait, attempts by outcome, and how fast the servers of merchants answer. */
export const webhooks: Board = {
  name: 'webhooks',
  title: 'webhooks',
  about:
    'Webhooks that wait, attempts by outcome, and how fast the servers of merchants answer; of both modes.',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          ...{ title: 'Waiting', kind: 'number', unit: 'short', columns: 6 },
          about: 'Webhooks that wait to be sent or tried again, in the whole installation.',
          lines: [{ expr: `max(florin_deliveries_pending{${of}})`, legend: 'waiting' }],
          thresholds: [{ color: 'green' }, { color: 'yellow', from: 1000 }],
        },
        {
          ...{ title: 'Attempts', kind: 'number', unit: 'ops', columns: 6 },
          about: 'A second.',
          lines: [{ expr: `sum(${attempts()})`, legend: 'attempts' }],
          thresholds: [{ color: 'blue' }],
        },
        {
          ...{ title: 'Delivered', kind: 'number', unit: 'percentunit', columns: 6 },
          about: 'Of the attempts. One endpoint that is away lowers it without harm to others.',
          lines: [
            { expr: `sum(${attempts(',outcome="delivered"')}) / sum(${attempts()})`, legend: 'delivered' },
          ],
          thresholds: [{ color: 'red' }, { color: 'yellow', from: 0.5 }, { color: 'green', from: 0.95 }],
        },
        {
          ...{ title: 'Slowest of twenty', kind: 'number', unit: 's', columns: 6 },
          about: 'Nineteen of twenty attempts took less.',
          lines: [{ expr: quantile(0.95), legend: 'p95' }],
          thresholds: [{ color: 'green' }, { color: 'yellow', from: 1 }, { color: 'red', from: 4 }],
        },
      ],
    },
    {
      title: 'Over time',
      panels: [
        {
          ...{ title: 'By outcome', kind: 'curve', unit: 'ops', isStacked: true },
          about: 'Attempts a second: delivered, or failed, also where it is tried again.',
          lines: [
            {
              expr: `sum by (outcome) (${attempts()})`,
              legend: '{{outcome}}',
            },
          ],
        },
        {
          ...{ title: 'Waiting', kind: 'curve', unit: 'short' },
          about: 'When it only grows, servers of merchants do not take them, or more come than can be sent.',
          lines: [{ expr: `max(florin_deliveries_pending{${of}})`, legend: 'waiting' }],
        },
        {
          ...{ title: 'How long attempts take', kind: 'curve', unit: 's' },
          about: 'An attempt ends after five seconds at most.',
          lines: [
            { expr: quantile(0.5), legend: 'p50' },
            { expr: quantile(0.95), legend: 'p95' },
            { expr: quantile(0.99), legend: 'p99' },
          ],
        },
      ],
    },
  ],
};
