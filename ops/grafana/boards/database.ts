import type { Board } from '../board.ts';

const of = 'instance=~"$instance"';

/** The database and its connections, backups and drills, the disks, and what the doctor found. */
export const database: Board = {
  name: 'database',
  title: 'database and backups',
  about: 'The database and its connections, backups and drills, the disks, and what the doctor found.',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          ...{ title: 'Newest backup', kind: 'number', unit: 's' },
          about: 'When the newest good one began. Above 32 hours an alert comes.',
          lines: [{ expr: `min(florin_backup_age_seconds{${of}})`, legend: 'ago' }],
          thresholds: [
            { color: 'green' },
            { color: 'yellow', from: 90_000 },
            { color: 'red', from: 115_200 },
          ],
        },
        {
          ...{ title: 'Last drill', kind: 'number', unit: 'none' },
          about: 'Whether the last backup that was tried was right.',
          lines: [{ expr: `min(florin_drill_ok{${of}})`, legend: 'drill' }],
          thresholds: [{ color: 'red' }, { color: 'green', from: 1 }],
          words: { 0: { text: 'wrong', color: 'red' }, 1: { text: 'right', color: 'green' } },
        },
        {
          ...{ title: 'Newest good drill', kind: 'number', unit: 's' },
          about: 'Above 8 days an alert comes.',
          lines: [{ expr: `min(florin_drill_age_seconds{${of}})`, legend: 'ago' }],
          thresholds: [{ color: 'green' }, { color: 'red', from: 691_200 }],
        },
        {
          ...{ title: 'Connections', kind: 'number', unit: 'percentunit' },
          about: 'Of those that the server takes.',
          lines: [
            {
              expr: `max(florin_database_connections{${of}} / florin_database_connections_limit{${of}})`,
              legend: 'used',
            },
          ],
          thresholds: [{ color: 'green' }, { color: 'yellow', from: 0.7 }, { color: 'red', from: 0.9 }],
        },
        {
          ...{ title: 'Size', kind: 'number', unit: 'bytes' },
          about: 'Of the database on its disk.',
          lines: [{ expr: `max(florin_database_bytes{${of}})`, legend: 'size' }],
          thresholds: [{ color: 'blue' }],
        },
        {
          ...{ title: 'Least room on a disk', kind: 'number', unit: 'percentunit' },
          about: 'Of all machines that give their metrics by node-exporter.',
          lines: [
            {
              expr: 'min(node_filesystem_avail_bytes{fstype!~"tmpfs|ramfs|overlay"} / node_filesystem_size_bytes)',
              legend: 'free',
            },
          ],
          thresholds: [{ color: 'red' }, { color: 'yellow', from: 0.1 }, { color: 'green', from: 0.25 }],
        },
      ],
    },
    {
      title: 'Database',
      panels: [
        {
          ...{ title: 'Transactions', kind: 'curve', unit: 'ops' },
          about: 'A second, by how they ended. Those that only read count too.',
          lines: [
            {
              expr: `max by (outcome) (rate(florin_database_transactions_total{${of}}[$__rate_interval]))`,
              legend: '{{outcome}}',
            },
          ],
        },
        {
          ...{ title: 'Waiting for a connection', kind: 'curve', unit: 'percentunit' },
          about:
            'The share of time in which work of a gateway waits, since no connection is free. With workers their sum.',
          lines: [
            {
              expr: `rate(florin_database_waiting_seconds_total{${of}}[$__rate_interval])`,
              legend: '{{instance}}',
            },
          ],
        },
        {
          ...{ title: 'Connections', kind: 'curve', unit: 'short' },
          about: 'Of every program, and how many the server takes.',
          lines: [
            { expr: `max(florin_database_connections{${of}})`, legend: 'used' },
            { expr: `max(florin_database_connections_limit{${of}})`, legend: 'limit' },
          ],
        },
        {
          ...{ title: 'Oldest transaction', kind: 'curve', unit: 's' },
          about: 'Of the gateway’s role. A backup or an audit may take long; nothing else does.',
          lines: [{ expr: `max(florin_database_oldest_transaction_seconds{${of}})`, legend: 'open for' }],
          thresholds: [{ color: 'green' }, { color: 'red', from: 3600 }],
        },
        {
          ...{ title: 'Size', kind: 'curve', unit: 'bytes' },
          about: 'Of the database on its disk.',
          lines: [{ expr: `max(florin_database_bytes{${of}})`, legend: 'size' }],
        },
        {
          ...{ title: 'Age of standbys', kind: 'curve', unit: 's' },
          about: 'How old the data are that lists and exports may come from.',
          lines: [{ expr: `max by (host) (florin_standby_age_seconds{${of}})`, legend: '{{host}}' }],
        },
        {
          ...{ title: 'Standbys that are fit', kind: 'curve', unit: 'short' },
          about: 'Where one stays at 0, an alert comes once none is left.',
          lines: [{ expr: `min by (host) (florin_standby_fit{${of}})`, legend: '{{host}}' }],
        },
        {
          ...{ title: 'Where lists are read', kind: 'curve', unit: 'ops' },
          about: 'A second: from a standby, or from the primary for each reason.',
          lines: [
            {
              expr: `sum by (place) (rate(florin_aged_reads_total{${of}}[$__rate_interval]))`,
              legend: '{{place}}',
            },
          ],
        },
        {
          ...{ title: 'Growth a day', kind: 'curve', unit: 'bytes' },
          about: 'By the pace of the last six hours.',
          lines: [{ expr: `max(86400 * deriv(florin_database_bytes{${of}}[6h]))`, legend: 'a day' }],
        },
      ],
    },
    {
      title: 'Backups and the doctor',
      panels: [
        {
          ...{ title: 'Size of backups', kind: 'curve', unit: 'bytes' },
          about: 'Of the newest good one.',
          lines: [{ expr: `max(florin_backup_bytes{${of}})`, legend: 'newest' }],
        },
        {
          ...{ title: 'Backups that failed', kind: 'curve', unit: 'short' },
          about: 'As many as are still listed.',
          lines: [{ expr: `max(florin_backup_failures_total{${of}})`, legend: 'failed' }],
        },
        {
          ...{ title: 'Newest moment that can be restored', kind: 'curve', unit: 's' },
          about: 'How long ago it was, where each change of an embedded database is sent away.',
          lines: [{ expr: `min(florin_wal_archive_age_seconds{${of}})`, legend: 'ago' }],
          thresholds: [{ color: 'green' }, { color: 'red', from: 900 }],
        },
        {
          ...{ title: 'Changes that wait', kind: 'curve', unit: 'bytes' },
          about: 'On this machine, to be sent away. At 2 GB they are dropped.',
          lines: [{ expr: `max(florin_wal_spool_bytes{${of}})`, legend: 'wait' }],
          thresholds: [{ color: 'green' }, { color: 'red', from: 1e9 }],
        },
        {
          ...{ title: 'What the doctor found', kind: 'list', unit: 'short' },
          about: 'In its newest report. The dashboard says what to do under Health, Doctor.',
          lines: [
            { expr: `max by (check, level) (florin_doctor_findings{${of}})`, legend: '{{check}} {{level}}' },
          ],
        },
      ],
    },
  ],
};
