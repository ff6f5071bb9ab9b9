import type { CheckWords } from './words.ts';

const byLog = 'Look at Health in the dashboard for the fault of its loop, and at the log.';

/** What is looked at on this machine and in the database. */
export const ownWords = {
  configuration: {
    about: 'Settings',
    findings: {
      ok: { level: 'ok', what: 'The settings can be read.' },
      wrong: {
        level: 'fault',
        what: 'A setting is wrong, so that no gateway starts.',
        todo: 'Correct it. florin config --help names every setting.',
      },
    },
  },
  process: {
    about: 'Process',
    findings: {
      ok: { level: 'ok', what: 'The process has what it needs.' },
      old_node: {
        level: 'fault',
        what: 'This version of Node is too old.',
        todo: 'Start Florin by npm, or with the version of Node that .nvmrc names.',
      },
      few_files: {
        level: 'warning',
        what: 'The process may open few files and connections.',
        todo: 'Set LimitNOFILE=65536 in the unit, or ulimits in the container.',
      },
      little_memory: {
        level: 'warning',
        what: 'The process may use little memory.',
        todo: 'Give it 512 MB or more.',
      },
    },
  },
  files: {
    about: 'Files',
    findings: {
      ok: { level: 'ok', what: 'Nobody else can read the master key and the data.' },
      not_yet: {
        level: 'unknown',
        what: 'The data directory or the master key is not there yet.',
        todo: 'Both are made at the first start.',
      },
      key_missing: {
        level: 'fault',
        what: 'The master key cannot be read, and what is sealed cannot be opened.',
        todo: 'Put it back from your copy: docs/operations.md, A lost master key.',
      },
      key_open: { level: 'fault', what: 'Others can read the master key.', todo: 'chmod 600 it.' },
      data_open: {
        level: 'warning',
        what: 'Others can look into the data directory.',
        todo: 'chmod 700 it.',
      },
    },
  },
  disk: {
    about: 'Disks',
    findings: {
      ok: { level: 'ok', what: 'There is room on the disk.' },
      not_yet: {
        level: 'unknown',
        what: 'The directory is not there yet.',
        todo: 'It is made at the first start.',
      },
      filling: {
        level: 'warning',
        what: 'The disk will be full within 30 days if it goes on filling as it does.',
        todo: 'Make room, or give it a larger disk.',
      },
      low: {
        level: 'warning',
        what: 'The disk is nearly full.',
        todo: 'Make room, or give it a larger disk.',
      },
      full: {
        level: 'fault',
        what: 'The disk is as good as full: without room no payment can be written.',
        todo: 'Make room now.',
      },
      not_writable: {
        level: 'fault',
        what: 'The directory cannot be written to.',
        todo: 'Give it to the user that Florin runs as, on a disk that can be written to.',
      },
    },
  },
  database: {
    about: 'Database',
    findings: {
      ok: { level: 'ok', what: 'The database keeps what was committed.' },
      not_yet: {
        level: 'unknown',
        what: 'There is no database yet.',
        todo: 'It is made at the first start.',
      },
      unusable: {
        level: 'fault',
        what: 'The database cannot be used.',
        todo: 'Do what its message says; its log may say more.',
      },
      older_tables: {
        level: 'warning',
        what: 'The tables are those of an older version.',
        todo: 'The next start brings them up to date.',
      },
      old_server: {
        level: 'fault',
        what: 'The server is older than PostgreSQL 15.',
        todo: 'Upgrade the server.',
      },
      not_safe: {
        level: 'fault',
        what: 'The server does not wait for the disk: a power cut damages the database.',
        todo: 'Turn fsync and full_page_writes on.',
      },
      late_commits: {
        level: 'fault',
        what: 'Commits are answered before they are on the disk: a power cut loses payments.',
        todo: 'Set synchronous_commit to on.',
      },
      few_connections: {
        level: 'warning',
        what: 'The server allows fewer connections than its gateways may open.',
        todo: 'Raise max_connections, or run fewer workers.',
      },
      rights: {
        level: 'warning',
        what: 'The role that serves can rewrite what was booked.',
        todo: 'Use two roles: docs/operations.md, Two roles.',
      },
    },
  },
  maintenance: {
    about: 'Maintenance of the database',
    findings: {
      ok: { level: 'ok', what: 'The database tidies itself up.' },
      off: { level: 'warning', what: 'Autovacuum is off.', todo: 'Turn autovacuum on.' },
      never_analyzed: {
        level: 'warning',
        what: 'Large tables were never analyzed, so that queries may be slow.',
        todo: 'Run ANALYZE, and look at why autovacuum does not.',
      },
      old_statistics: {
        level: 'warning',
        what: 'Large tables have changed much since they were analyzed, so that queries may be slow.',
        todo: 'Run ANALYZE, and look at why autovacuum does not.',
      },
      no_parts: {
        level: 'warning',
        what: 'Tables that are divided by time have no part for tomorrow.',
        todo: 'End sessions that keep these tables locked; a gateway then makes parts.',
      },
      old_transactions: {
        level: 'warning',
        what: 'Old transactions keep the database from freeing transaction ids.',
        todo: 'End old transactions and unused replication slots, then run VACUUM.',
      },
      few_transactions: {
        level: 'fault',
        what: 'The database will soon refuse every write, because it runs out of transaction ids.',
        todo: 'Run VACUUM FREEZE now.',
      },
    },
  },
  stamps: {
    about: 'Hash chain',
    findings: {
      ok: { level: 'ok', what: 'Every row has its stamp.' },
      late: { level: 'warning', what: 'Rows wait for their stamp for more than a minute.', todo: byLog },
      stopped: {
        level: 'fault',
        what: 'Rows wait for their stamp for more than 15 minutes.',
        todo: 'Start a gateway that does background work. Its log says why nothing is stamped.',
      },
    },
  },
  backups: {
    about: 'Backups',
    findings: {
      ok: { level: 'ok', what: 'Backups are made and tried.' },
      none: {
        level: 'warning',
        what: 'No backup is made by itself.',
        todo: 'Set BACKUP_TO and BACKUP_RECIPIENT, or make backups in another way.',
      },
      plain: {
        level: 'warning',
        what: 'Backups are not encrypted.',
        todo: 'Make a key by florin backup key, and set BACKUP_RECIPIENT.',
      },
      not_yet: {
        level: 'unknown',
        what: 'No backup was made yet.',
        todo: 'A gateway makes the first one soon after its start.',
      },
      missing: {
        level: 'fault',
        what: 'A backup is missing.',
        todo: 'Look at Backups in the dashboard for why the last one failed.',
      },
      drill_failed: {
        level: 'fault',
        what: 'The last backup that was tried is not good.',
        todo: 'Look at Backups in the dashboard for why, and make a new one.',
      },
      drill_missing: {
        level: 'fault',
        what: 'No backup was tried for longer than BACKUP_DRILL says.',
        todo: 'Try one: Backups in the dashboard, or florin backup drill.',
      },
      wal_behind: {
        level: 'fault',
        what: 'Changes of the database are not archived.',
        todo: 'Mend the place of BACKUP_TO; the log says why WAL or a base backup failed.',
      },
    },
  },
  reserves: {
    about: 'Reserves',
    findings: {
      ok: { level: 'ok', what: 'What is held is what is owed.' },
      none: { level: 'ok', what: 'There is no network to compare with.' },
      not_yet: {
        level: 'unknown',
        what: 'The reserves were not compared yet.',
        todo: 'A gateway compares them soon after its start.',
      },
      old: { level: 'warning', what: 'The reserves were not compared for an hour.', todo: byLog },
      missing: {
        level: 'warning',
        what: 'The reserves of an asset could not be compared.',
        todo: 'Mend the endpoints of its network.',
      },
      differ: {
        level: 'fault',
        what: 'What is held is not what is owed.',
        todo: 'Run florin reserves, and find the transfer that nobody booked.',
      },
    },
  },
  keys: {
    about: 'Keys',
    findings: {
      ok: { level: 'ok', what: 'No key that is used is about to end.' },
      ending: {
        level: 'warning',
        what: 'An API key that was used within a day ends within a week.',
        todo: 'Tell its merchant to change to the new key.',
      },
      secret_ending: {
        level: 'warning',
        what: 'The old secret of an endpoint of live mode ends within a day.',
        todo: 'Tell its merchant to verify webhooks by the new secret.',
      },
    },
  },
  security_contact: {
    about: 'Security contact',
    findings: {
      ok: { level: 'ok', what: 'The security contact is shown.' },
      none: { level: 'ok', what: 'No security contact is set.' },
      ending: {
        level: 'warning',
        what: 'The security contact ends within a month.',
        todo: 'Set SECURITY_EXPIRES to a later day.',
      },
      ended: {
        level: 'warning',
        what: 'The security contact has ended and is not shown.',
        todo: 'Set SECURITY_EXPIRES to a later day.',
      },
    },
  },
} as const satisfies Record<string, CheckWords>;
