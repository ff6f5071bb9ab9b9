import type { Board } from '../board.ts';

const of = 'instance=~"$instance"';
const events = (types: string) => `florin_events_total{${of},mode=~"$mode",type=~"${types}"}`;
const ended = 'payment_(completed|failed|abandoned|cancelled)';
// A stream of a payment page stays open for minutes: its time says nothing of how fast it was answered.
const answered = `${of},route!~".*/events"`;
const quantile = (share: number, by: string) =>
  `histogram_quantile(${share}, sum by (${by}) (rate(florin_http_request_seconds_bucket{${answered}}[$__rate_interval])))`;
const rate = (selector = '') => `rate(florin_http_requests_total{${of}${selector}}[$__rate_interval])`;

/** How payments end, what merchants and customers ask for, how fast it is answered, and how the processes are. */
export const requests: Board = {
  name: 'requests',
  title: 'payments and requests',
  about:
    'How payments end, what merchants and customers ask for, how fast it is answered, and how the processes are.',
  narrowedBy: [{ label: 'mode', metric: 'florin_events_total' }],
  rows: [
    {
      title: 'Now',
      panels: [
        {
          ...{ title: 'Gateways', kind: 'number', unit: 'short' },
          about: 'Gateways that give metrics.',
          lines: [{ expr: `sum(up{job="florin",${of}})`, legend: 'up' }],
          thresholds: [{ color: 'red' }, { color: 'green', from: 1 }],
        },
        {
          ...{ title: 'Requests', kind: 'number', unit: 'reqps' },
          about: 'Requests a second that were answered.',
          lines: [{ expr: `sum(${rate()})`, legend: 'requests' }],
          thresholds: [{ color: 'blue' }],
        },
        {
          ...{ title: 'Payments created', kind: 'number', unit: 'short' },
          about: 'In the time that is shown, of both modes.',
          lines: [
            {
              expr: `sum(increase(florin_http_requests_total{${of},route="/payment/create",status=~"2.."}[$__range])) or vector(0)`,
              legend: 'created',
            },
          ],
          thresholds: [{ color: 'blue' }],
        },
        {
          ...{ title: 'Faults', kind: 'number', unit: 'percentunit' },
          about: 'Answers of 5xx among all. Above 2 % an alert comes.',
          lines: [
            {
              expr: `(sum(${rate(',status=~"5..",route!="/ready"')}) or vector(0)) / sum(${rate()})`,
              legend: '5xx',
            },
          ],
          thresholds: [{ color: 'green' }, { color: 'yellow', from: 0.001 }, { color: 'red', from: 0.02 }],
        },
        {
          ...{ title: 'Slowest of twenty', kind: 'number', unit: 's' },
          about: 'Nineteen of twenty requests were answered faster. Streams are left out.',
          lines: [{ expr: quantile(0.95, 'le'), legend: 'p95' }],
          thresholds: [{ color: 'green' }, { color: 'yellow', from: 0.25 }, { color: 'red', from: 1 }],
        },
        {
          ...{ title: 'Refused', kind: 'number', unit: 'reqps' },
          about: 'Requests a second that were answered 503 because too many waited already.',
          lines: [
            {
              expr: `sum(rate(florin_http_overload_refusals_total{${of}}[$__rate_interval]))`,
              legend: 'refused',
            },
          ],
          thresholds: [{ color: 'green' }, { color: 'red', from: 0.01 }],
        },
      ],
    },
    {
      title: 'Payments and payouts',
      panels: [
        {
          ...{ title: 'Payments that ended', kind: 'curve', unit: 'short', isStacked: true },
          about: 'A minute, by how.',
          lines: [
            { expr: `sum by (type) (60 * rate(${events(ended)}[$__rate_interval]))`, legend: '{{type}}' },
          ],
        },
        {
          ...{ title: 'Completed', kind: 'curve', unit: 'percentunit' },
          about: 'Of the payments that ended, in each hour.',
          lines: [
            {
              expr: `sum(increase(${events('payment_completed')}[1h])) / sum(increase(${events(ended)}[1h]))`,
              legend: 'completed',
            },
          ],
        },
        {
          ...{ title: 'Refunds, appeals and payouts', kind: 'curve', unit: 'short' },
          about: 'Events in each hour.',
          lines: [
            {
              expr: `sum by (type) (increase(${events('payout_.*|.*refund.*|.*appeal.*')}[1h]))`,
              legend: '{{type}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Traffic',
      panels: [
        {
          ...{ title: 'By status', kind: 'curve', unit: 'reqps', columns: 12, isStacked: true },
          about: 'Requests a second by the status that they were answered with.',
          lines: [{ expr: `sum by (status) (${rate()})`, legend: '{{status}}' }],
        },
        {
          ...{ title: 'By route', kind: 'curve', unit: 'reqps', columns: 12 },
          about: 'The ten routes with the most requests.',
          lines: [{ expr: `topk(10, sum by (method, route) (${rate()}))`, legend: '{{method}} {{route}}' }],
        },
        {
          ...{ title: 'How long answers take', kind: 'curve', unit: 's', columns: 12 },
          about: 'Half, nineteen of twenty, and 99 of 100 were answered faster. Streams are left out.',
          lines: [
            { expr: quantile(0.5, 'le'), legend: 'p50' },
            { expr: quantile(0.95, 'le'), legend: 'p95' },
            { expr: quantile(0.99, 'le'), legend: 'p99' },
          ],
          thresholds: [{ color: 'green' }, { color: 'red', from: 1 }],
        },
        {
          ...{ title: 'The slowest routes', kind: 'curve', unit: 's', columns: 12 },
          about: 'The ten routes with the highest p95.',
          lines: [{ expr: `topk(10, ${quantile(0.95, 'le, route')})`, legend: '{{route}}' }],
        },
        {
          ...{ title: 'Refused to clients', kind: 'curve', unit: 'reqps', columns: 12 },
          about: 'Answers of 4xx by route and status: faults of the programs that call, and limits.',
          lines: [
            {
              expr: `topk(10, sum by (route, status) (${rate(',status=~"4.."')}))`,
              legend: '{{status}} {{route}}',
            },
          ],
        },
        {
          ...{ title: 'Faults by route', kind: 'curve', unit: 'reqps', columns: 12 },
          about: 'Answers of 5xx. Each 500 is a line of level 50 in the log.',
          lines: [
            { expr: `sum by (route, status) (${rate(',status=~"5.."')})`, legend: '{{status}} {{route}}' },
          ],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          ...{ title: 'Event loop lag', kind: 'curve', unit: 's' },
          about: 'How late a process is with what is due, in the slowest hundredth of cases.',
          lines: [{ expr: `nodejs_eventloop_lag_p99_seconds{${of}}`, legend: '{{instance}} {{worker}}' }],
          thresholds: [{ color: 'green' }, { color: 'red', from: 0.2 }],
        },
        {
          ...{ title: 'Processor', kind: 'curve', unit: 'percentunit' },
          about: 'Of one core.',
          lines: [
            {
              expr: `rate(process_cpu_seconds_total{${of}}[$__rate_interval])`,
              legend: '{{instance}} {{worker}}',
            },
          ],
        },
        {
          ...{ title: 'Memory', kind: 'curve', unit: 'bytes' },
          about: 'Resident memory of each process.',
          lines: [{ expr: `process_resident_memory_bytes{${of}}`, legend: '{{instance}} {{worker}}' }],
        },
        {
          ...{ title: 'Workers', kind: 'curve', unit: 'short' },
          about: 'Worker processes that run, and how many were started again in an hour.',
          lines: [
            { expr: `florin_workers{${of}}`, legend: '{{instance}} run' },
            {
              expr: `increase(florin_worker_restarts_total{${of}}[1h])`,
              legend: '{{instance}} started again',
            },
          ],
        },
        {
          ...{ title: 'Garbage collection', kind: 'curve', unit: 'percentunit' },
          about: 'The share of time that a process spends on it.',
          lines: [
            {
              expr: `sum by (instance, worker) (rate(nodejs_gc_duration_seconds_sum{${of}}[$__rate_interval]))`,
              legend: '{{instance}} {{worker}}',
            },
          ],
        },
        {
          ...{ title: 'Request log', kind: 'curve', unit: 'reqps' },
          about: 'Requests a second that were answered but came too fast for the request log.',
          lines: [
            {
              expr: `rate(florin_request_log_dropped_total{${of}}[$__rate_interval])`,
              legend: '{{instance}} left out',
            },
          ],
        },
      ],
    },
  ],
};
