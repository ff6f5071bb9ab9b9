/** How bad it is. `unknown`: the check could not look. */
export const levels = ['fault', 'warning', 'unknown', 'ok'] as const;
export type Level = (typeof levels)[number];

/** What a check may find. Its text says what is so, and `todo` what to do about it. */
export type Words = { level: Level; what: string; todo?: string };
export type CheckWords = { about: string; findings: Readonly<Record<string, Words>> };

const addressFirst = 'Mend the public address first.';
const byNtp = 'Set the clock by NTP: timedatectl set-ntp true.';

/** What is looked at from outside, or on machines of others. */
export const outsideWords = {
  address: {
    about: 'Public addresses',
    findings: {
      ok: { level: 'ok', what: 'The address leads to this installation.' },
      not_running: {
        level: 'unknown',
        what: 'No gateway of this installation runs, so nothing can answer at the address.',
        todo: 'Start the gateway and check again.',
      },
      no_database: {
        level: 'unknown',
        what: 'Without the database it cannot be told who answers at the address.',
        todo: 'Mend the database first.',
      },
      unresolved: {
        level: 'fault',
        what: 'The name in the address cannot be looked up.',
        todo: 'Add a record of it to the DNS, or correct the setting.',
      },
      unreachable: {
        level: 'fault',
        what: 'Nothing answers at the address.',
        todo: 'Let the proxy or the gateway listen there, and open the port in the firewall.',
      },
      other: {
        level: 'fault',
        what: 'Something else answers at the address.',
        todo: 'Let the DNS and the proxy lead to this gateway, and pass every path on.',
      },
      plain: {
        level: 'warning',
        what: 'The address is without https, though other machines reach it.',
        todo: 'Put a proxy with a certificate in front, or set TLS_CERT and TLS_KEY.',
      },
    },
  },
  certificate: {
    about: 'Certificates',
    findings: {
      ok: { level: 'ok', what: 'The certificate is valid.' },
      none: { level: 'ok', what: 'No public address has https.' },
      unreachable: {
        level: 'unknown',
        what: 'No certificate was shown, because nothing answers.',
        todo: addressFirst,
      },
      ends_soon: {
        level: 'warning',
        what: 'The certificate ends soon, and should have been renewed.',
        todo: 'Look at why whatever renews it did not.',
      },
      about_to_end: {
        level: 'fault',
        what: 'The certificate is about to end.',
        todo: 'Renew it now, and look at why that did not happen by itself.',
      },
      ended: { level: 'fault', what: 'The certificate has ended.', todo: 'Renew it now.' },
      not_yet: {
        level: 'fault',
        what: 'The certificate is not valid yet.',
        todo: 'Compare the clocks of this machine and of the one that made it.',
      },
      wrong_name: {
        level: 'fault',
        what: 'The certificate is for other names.',
        todo: 'Serve a certificate that has the name of the address.',
      },
      untrusted: {
        level: 'fault',
        what: 'Browsers do not trust the certificate, or its chain is not complete.',
        todo: 'Serve the whole chain of an authority that browsers know.',
      },
    },
  },
  proxy: {
    about: 'Proxy and client addresses',
    findings: {
      ok: {
        level: 'ok',
        what: 'The gateway sees the addresses of clients, and nobody can claim another one.',
      },
      not_looked: {
        level: 'unknown',
        what: 'No public address answered, so what is in front was not looked at.',
        todo: addressFirst,
      },
      not_trusted: {
        level: 'fault',
        what: 'A proxy is in front and TRUST_PROXY is off, so that all customers share one rate limit.',
        todo: 'Set TRUST_PROXY=1.',
      },
      claimed: {
        level: 'fault',
        what: 'Anyone can claim any client address.',
        todo: 'Let the proxy set X-Forwarded-For by itself. Without a proxy set TRUST_PROXY=0.',
      },
      unread: {
        level: 'fault',
        what: 'TRUST_PROXY is on, and the proxy names no client.',
        todo: 'Let the proxy set X-Forwarded-For to the address of the client.',
      },
      host: {
        level: 'fault',
        what: 'The proxy changes the header Host.',
        todo: 'Let the proxy pass Host on unchanged.',
      },
      buffered: {
        level: 'warning',
        what: 'The proxy holds streams back, so that payment pages learn of changes late.',
        todo: 'Turn buffering off in the proxy for text/event-stream.',
      },
    },
  },
  clock: {
    about: 'Clock',
    findings: {
      ok: { level: 'ok', what: 'The clock agrees with others.' },
      alone: {
        level: 'unknown',
        what: 'There was nothing to compare the clock with.',
        todo: 'Look at it by timedatectl.',
      },
      off: { level: 'warning', what: 'The clock is more than 5 seconds away from others.', todo: byNtp },
      wrong: {
        level: 'fault',
        what: 'The clock is more than 30 seconds away from others, so that codes of authenticator apps are refused.',
        todo: byNtp,
      },
      database: {
        level: 'warning',
        what: 'The clock of the database is more than 5 seconds away from that of this machine.',
        todo: 'Set the clocks of both machines by NTP.',
      },
    },
  },
  standby: {
    about: 'Standby',
    findings: {
      ok: { level: 'ok', what: 'The standby follows the database.' },
      none: { level: 'ok', what: 'No standby is set.' },
      no_database: {
        level: 'unknown',
        what: 'Without the database it cannot be told what the standby has.',
        todo: 'Mend the database first.',
      },
      away: {
        level: 'warning',
        what: 'The standby does not answer. The primary serves its lists.',
        todo: 'Start it, or correct READ_DATABASE_URL.',
      },
      behind: {
        level: 'warning',
        what: 'The standby is too far behind. The primary serves its lists.',
        todo: 'Look at the load of the standby, and at the line between both servers.',
      },
      takes_writes: {
        level: 'warning',
        what: 'The standby takes writes, as after a failover. The primary serves its lists.',
        todo: 'Name a server that follows the primary in READ_DATABASE_URL.',
      },
      other: {
        level: 'fault',
        what: 'The standby has the data of another database, and is not used.',
        todo: 'Correct READ_DATABASE_URL.',
      },
      no_feedback: {
        level: 'warning',
        what: 'The standby may end long exports, because hot_standby_feedback is off.',
        todo: 'Turn hot_standby_feedback on at the standby.',
      },
    },
  },
  chain: {
    about: 'Endpoints of chains',
    findings: {
      ok: { level: 'ok', what: 'The endpoint does what is needed.' },
      none: { level: 'ok', what: 'No chain is configured.' },
      weak: {
        level: 'warning',
        what: 'The endpoint serves, and not well.',
        todo: 'Take another provider, or add an endpoint.',
      },
      faulty: {
        level: 'fault',
        what: 'The endpoint cannot be used.',
        todo: 'Take another provider, or add an endpoint.',
      },
      alone: {
        level: 'warning',
        what: 'A chain has one endpoint alone, so that nobody contradicts it.',
        todo: 'Add an endpoint of another provider.',
      },
    },
  },
  pi: {
    about: 'Endpoints of Pi',
    findings: {
      ok: { level: 'ok', what: 'The Horizon does what is needed.' },
      none: { level: 'ok', what: 'Pi is not configured.' },
      behind: {
        level: 'warning',
        what: 'The newest ledger of the Horizon is old.',
        todo: 'Wait until it has caught up, or add another Horizon.',
      },
      faulty: {
        level: 'fault',
        what: 'The Horizon cannot be used.',
        todo: 'Correct its address, or add another Horizon.',
      },
    },
  },
  mail: {
    about: 'Mail',
    findings: {
      ok: { level: 'ok', what: 'The mail server takes mails.' },
      none: {
        level: 'warning',
        what: 'No mail server is set: mails stay in the outbox.',
        todo: 'Set SMTP_URL.',
      },
      unreachable: {
        level: 'fault',
        what: 'The mail server does not answer.',
        todo: 'Correct SMTP_URL, and open the way to it in the firewall.',
      },
      no_tls: {
        level: 'fault',
        what: 'The connection to the mail server cannot be encrypted.',
        todo: 'Use a server that offers STARTTLS, or smtps:// with a certificate that is valid.',
      },
      refused: {
        level: 'fault',
        what: 'The mail server refuses the user or the password.',
        todo: 'Correct both in SMTP_URL.',
      },
      given_up: {
        level: 'warning',
        what: 'Mails of the last day were given up.',
        todo: 'Read their faults in the dashboard under Messages, Outbox.',
      },
    },
  },
  webhooks: {
    about: 'Webhooks',
    findings: {
      ok: { level: 'ok', what: 'No endpoint is out of reach or fails.' },
      private: {
        level: 'warning',
        what: 'An endpoint leads into a private network, so that nothing is sent there.',
        todo: 'Tell its merchant. WEBHOOK_ALLOW_PRIVATE=1 allows it for all.',
      },
      unresolved: {
        level: 'warning',
        what: 'The name of an endpoint cannot be looked up.',
        todo: 'Tell its merchant.',
      },
      failing: {
        level: 'warning',
        what: 'Endpoints of live mode fail, or were turned off because they did.',
        todo: 'Tell their merchants: their dashboards show what each one answers.',
      },
    },
  },
} as const satisfies Record<string, CheckWords>;
