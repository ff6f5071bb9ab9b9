import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { type AlertKind, alertKinds, isAlertKind } from '../identity/mail/security-alerts.ts';
import { faultOfServers } from '../kit/db/servers.ts';
import type { StandbyTerms } from '../kit/db/standby/aged.ts';
import { isLoopbackHost } from '../kit/net/addresses.ts';
import type { TracesConfig } from '../kit/open-traces.ts';
import type { Secret } from '../kit/secret.ts';
import { type DirectTerms, directTerms } from '../rails/direct.ts';
import { type RatesConfig, readRatesSetting } from '../rates/config.ts';
import { type BackupsConfig, readBackups } from './backups.ts';
import { type FileSettings, readFileSettings } from './file.ts';
import { type ProveAt, readProveAt } from './prove-at.ts';
import { readSecurityContact, type SecurityContact } from './security-contact.ts';
import { type Environment, type Fault, type SettingReader, settingReader } from './setting-reader.ts';
import { readTraces } from './traces.ts';

/** The whole configuration of the gateway, checked. Secrets are read by the code that uses them. */
export type Config = FileSettings & {
  host: string;
  port: number;
  baseUrl: string;
  payUrl: string;
  /** Further origins that are ours, without a path. */
  origins: string[];
  dataDir: string;
  /** `ownerUrl`: the role that migrates the database; null: the serving role does. */
  database: { kind: 'embedded' } | { kind: 'external'; url: string; ownerUrl: string | null };
  /** The standby that serves lists, charts and exports, and how old its data may be; null: the primary serves all. */
  standby: StandbyTerms | null;
  masterKey: Secret;
  /** When demo data is seeded. */
  demo: 'always' | 'never' | 'when-new';
  shopPort: number;
  /** Null: the demo chain chooses a port. */
  chainPort: number | null;
  /** Null: the demo Pi network chooses a port. */
  piPort: number | null;
  metricsPort: number;
  metricsHost: string;
  logLevel: string;
  rateLimit: boolean;
  trustProxy: boolean;
  tls: { certFile: string; key: Secret; ocspFile: string } | null;
  smtpUrl: string | null;
  /** `Florin <florin@example.com>` */
  mailFrom: string;
  /** The bot that tells people of a team; null: there is none. */
  telegram: { token: string; apiUrl: string } | null;
  /** Customers get their receipts by mail. */
  receiptMails: boolean;
  /** What merchants are told of direct settlement, where a chain has a fee address. */
  directSettlement: DirectTerms;
  rates: RatesConfig;
  webhookAllowPrivate: boolean;
  eventRetentionDays: number;
  securityRetentionDays: number;
  securityAlerts: AlertKind[];
  /** The file to which heads of the hash chain are appended; empty: none. */
  stampHeadsFile: string;
  /** Its name is shown to customers. */
  walletBackend: { url: string; token: Secret; name: string } | null;
  /** Who may make a wallet on the pages at `/wallet/`; off: there are no such pages. */
  wallets: (typeof walletModes)[number];
  /** Where scheduled backups go, and when; null: there are none. */
  backups: BackupsConfig | null;
  /** When a statement of what is owed and held is made, in UTC; a weekday of null: each day. Null: by command only. */
  proveAt: ProveAt | null;
  /** Which traces are sent; null: nothing is traced. */
  traces: TracesConfig | null;
  /** The system that decides the levels of users; null: operators do. */
  kyc: { url: string; secret: Secret } | null;
  /** Whether a withdrawal needs a second factor and an address that has rested; null: not in a demo, else yes. */
  withdrawalChecks: boolean | null;
  /** Where vulnerabilities are reported, and until when this holds. */
  securityContact: SecurityContact | null;
};

/** Every fault of the configuration, one on each line. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Paths and parameters are added to it, so it may have no query or fragment. */
const webAddress = /^https?:\/\/[^?#]+$/;
const mailSender = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;
const walletModes = ['open', 'invitation', 'off'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Parses the environment; throws `ConfigError` with every fault at once. */
export function readConfig(env: Environment): Config {
  const read = settingReader(env);
  const { faults, fault, text, port, flag, url } = read;
  const host = read.listening('HOST');
  const tls = readTls(read.file('TLS_CERT'), read.tlsKey(), read.file('TLS_OCSP_FILE'), fault);
  const origin = `${tls ? 'https' : 'http'}://${hostInUrl(host)}:${text('PORT')}`;
  const baseUrl = url('BASE_URL', webAddress) || origin;
  const dataDir = resolve(text('DATA_DIR'));
  const { database, masterKey } = readDatabase(read);
  if (!logLevels.includes(text('LOG_LEVEL'))) fault('LOG_LEVEL', `must be one of ${logLevels.join(', ')}`);
  const demo = text('DEMO');
  if (!/^[01]?$/.test(demo)) fault('DEMO', 'must be 0 or 1');
  const mayDemo = database.kind === 'embedded' && isLoopbackHost(host);
  const config: Config = {
    host,
    port: port('PORT'),
    baseUrl,
    payUrl: url('PAY_URL', webAddress) || `${baseUrl}/pay`,
    origins: readOrigins(text('ORIGINS'), fault),
    dataDir,
    database,
    standby: readStandby(read, database),
    masterKey: masterKey ?? join(dataDir, 'master.key'),
    demo: demo === '1' ? 'always' : demo === '0' || !mayDemo ? 'never' : 'when-new',
    shopPort: port('SHOP_PORT'),
    chainPort: text('CHAIN_PORT') ? port('CHAIN_PORT') : null,
    piPort: text('PI_PORT') ? port('PI_PORT') : null,
    metricsPort: port('METRICS_PORT'),
    metricsHost: read.listening('METRICS_HOST'),
    logLevel: text('LOG_LEVEL'),
    rateLimit: flag('RATE_LIMIT'),
    trustProxy: flag('TRUST_PROXY'),
    tls,
    smtpUrl: url('SMTP_URL', /^smtps?:\/\//, read.revealed('SMTP_URL')) || null,
    mailFrom: text('MAIL_FROM') || `Florin <florin@${mailHost(baseUrl)}>`,
    telegram: readTelegram(read),
    receiptMails: flag('RECEIPT_MAILS'),
    directSettlement: 'offered',
    rates: readRatesSetting(text('RATES'), (why) => fault('RATES', why)),
    webhookAllowPrivate: flag('WEBHOOK_ALLOW_PRIVATE'),
    eventRetentionDays: read.days('EVENT_RETENTION_DAYS', 30),
    securityRetentionDays: read.days('SECURITY_RETENTION_DAYS', 30),
    securityAlerts: readAlerts(text('SECURITY_ALERTS'), fault),
    stampHeadsFile: text('STAMP_HEADS_FILE') && resolve(text('STAMP_HEADS_FILE')),
    walletBackend: readWalletBackend(
      url('WALLET_BACKEND_URL', webAddress),
      read.secret('WALLET_BACKEND_TOKEN'),
      text('WALLET_BACKEND_NAME'),
      fault,
    ),
    wallets: 'off',
    backups: readBackups(read),
    proveAt: readProveAt(read),
    traces: readTraces(read),
    kyc: readKyc(url('KYC_URL', webAddress), read.secret('KYC_SECRET'), fault),
    withdrawalChecks: text('WITHDRAWAL_CHECKS') === '' ? null : flag('WITHDRAWAL_CHECKS'),
    securityContact: readSecurityContact(text('SECURITY_CONTACT'), text('SECURITY_EXPIRES'), fault),
    ...readFileSettings(readJson(read.file('CONFIG_FILE'), fault), fault),
  };
  checkTogether(config, read);
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function readTelegram({ revealed, url, fault }: SettingReader): Config['telegram'] {
  const token = revealed('TELEGRAM_BOT_TOKEN');
  const apiUrl = url('TELEGRAM_API_URL', webAddress);
  if (!token) return null;
  // It stands in the path of each call.
  if (!/^\d{1,20}:[\w-]{20,100}$/.test(token)) fault('TELEGRAM_BOT_TOKEN', 'must be as @BotFather gives it');
  return { token, apiUrl: apiUrl.replace(/\/$/, '') };
}

/** Settings that depend on others. */
function checkTogether(config: Config, { faults, fault, text }: SettingReader): void {
  const wallets = text('WALLETS') || (config.demo === 'never' ? 'off' : 'open');
  const mode = walletModes.find((each) => each === wallets);
  if (!mode) fault('WALLETS', `must be one of ${walletModes.join(', ')}`);
  if (mode && !config.walletBackend) config.wallets = mode;
  const direct = directTerms.find((each) => each === text('DIRECT_SETTLEMENT'));
  if (direct) config.directSettlement = direct;
  else fault('DIRECT_SETTLEMENT', `must be one of ${directTerms.join(', ')}`);
  if (!mailSender.test(config.mailFrom)) {
    fault('MAIL_FROM', 'must be an e-mail address, or one in <> after a name');
  }
  if (URL.parse(config.payUrl)?.pathname === '/') fault('PAY_URL', 'needs a path, such as /pay');
  const { chainPort, piPort } = config;
  const ports = [config.port, config.metricsPort, config.shopPort, chainPort ?? 0, piPort ?? 0].filter(
    (each) => each > 0,
  );
  if (new Set(ports).size < ports.length)
    faults.push('PORT, METRICS_PORT, SHOP_PORT, CHAIN_PORT and PI_PORT must differ');
}

function readDatabase({ fault, revealed, ownSecret }: SettingReader): {
  database: Config['database'];
  masterKey: Secret | null;
} {
  const databaseUrl = revealed('DATABASE_URL');
  const ownerUrl = revealed('MIGRATE_DATABASE_URL') || null;
  const masterKey = ownSecret('MASTER_KEY');
  for (const [name, given] of Object.entries({ DATABASE_URL: databaseUrl, MIGRATE_DATABASE_URL: ownerUrl })) {
    if (given && !/^postgres(ql)?:\/\//.test(given)) fault(name, 'must begin with postgres://');
    const several = given ? faultOfServers(given) : null;
    if (several !== null) fault(name, several);
  }
  if (ownerUrl && !databaseUrl) fault('MIGRATE_DATABASE_URL', 'needs DATABASE_URL');
  if (databaseUrl && masterKey === null) fault('MASTER_KEY_FILE', 'is required with DATABASE_URL');
  return {
    database: databaseUrl ? { kind: 'external', url: databaseUrl, ownerUrl } : { kind: 'embedded' },
    masterKey,
  };
}

function readStandby(
  { text, fault, revealed }: SettingReader,
  database: Config['database'],
): Config['standby'] {
  const url = revealed('READ_DATABASE_URL');
  const seconds = text('READ_DATABASE_MAX_AGE');
  const maxAgeSeconds = /^\d{1,4}$/.test(seconds) ? Number.parseInt(seconds, 10) : 0;
  if (maxAgeSeconds < 1) fault('READ_DATABASE_MAX_AGE', 'must be a number of seconds from 1 to 9999');
  if (!url) return null;
  const wrong = /^postgres(ql)?:\/\//.test(url)
    ? faultOfServers(url, 'standby')
    : 'must begin with postgres://';
  if (wrong !== null) fault('READ_DATABASE_URL', wrong);
  if (database.kind === 'embedded') fault('READ_DATABASE_URL', 'needs DATABASE_URL');
  return { url, maxAgeSeconds };
}

/** The host to connect to when the gateway listens on `host`. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Mail programs accept no IP address as the host of a sender. */
function mailHost(baseUrl: string): string {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return isIP(host.replace(/^\[|\]$/g, '')) || host === '' ? 'localhost' : host;
}

function readTls(certFile: string, key: Secret | null, ocspFile: string, fault: Fault): Config['tls'] {
  if (ocspFile && !certFile) fault('TLS_OCSP_FILE', 'needs TLS_CERT');
  if (!certFile && key === null) return null;
  if (!certFile || key === null) fault('TLS_CERT', 'and TLS_KEY go together');
  return { certFile, key: key ?? '', ocspFile };
}

function readWalletBackend(
  url: string,
  token: Secret | null,
  name: string,
  fault: Fault,
): Config['walletBackend'] {
  if (name.length > 40) fault('WALLET_BACKEND_NAME', 'may have 40 characters at most');
  if (!url && token === null) return null;
  if (!url || token === null) fault('WALLET_BACKEND_URL', 'and WALLET_BACKEND_TOKEN_FILE go together');
  return { url, token: token ?? '', name };
}

function readKyc(url: string, secret: Secret | null, fault: Fault): Config['kyc'] {
  if (!url && secret === null) return null;
  if (!url || secret === null) fault('KYC_URL', 'and KYC_SECRET_FILE go together');
  return { url, secret: secret ?? '' };
}

function readOrigins(text: string, fault: Fault): string[] {
  const given = text.split(/\s+/).filter((each) => each !== '');
  const origins = given.map((each) => (webAddress.test(each) ? URL.parse(each) : null));
  if (origins.some((url) => url === null || url.pathname !== '/')) {
    fault('ORIGINS', 'must be addresses such as https://florin.lan, without a path');
  }
  return origins.flatMap((url) => (url ? [url.origin] : []));
}

function readAlerts(text: string, fault: Fault): AlertKind[] {
  const words = text.split(',').map((each) => each.trim());
  const kinds = words.filter((each) => each !== '');
  if (!kinds.every(isAlertKind)) fault('SECURITY_ALERTS', `must be some of ${alertKinds.join(', ')}`);
  return kinds.filter(isAlertKind);
}

function readJson(path: string, fault: Fault): unknown {
  if (!path || !existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    fault('CONFIG_FILE', 'cannot be read as JSON');
    return {};
  }
}
