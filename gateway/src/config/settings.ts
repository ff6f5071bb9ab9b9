/** One environment variable: its default, and what it is for. */
export type Setting = { name: string; fallback: string; help: string };

const setting = (name: string, fallback: string, help: string): Setting => ({ name, fallback, help });

/** A secret: itself, or the path of its file, or a program that prints it. */
function secret(name: string, help: string, ofFile = ''): Setting[] {
  return [
    setting(name, '', help),
    setting(`${name}_FILE`, '', ofFile || `File with ${name}.`),
    setting(`${name}_COMMAND`, '', `Program that prints ${name}, with its arguments.`),
  ];
}

/** Every setting of the gateway, in the order in which `florin config --help` and the docs show them. */
export const settings: readonly Setting[] = [
  setting('HOST', '127.0.0.1', 'Address to listen on.'),
  setting('PORT', '4000', 'Port of the API and the hosted page.'),
  setting('BASE_URL', '', 'Public address of the API. Default: http://HOST:PORT.'),
  setting('PAY_URL', '', 'Public address of the hosted page. Default: BASE_URL/pay.'),
  setting(
    'ORIGINS',
    '',
    'Further addresses by which people reach the dashboard and the hosted page, such as https://florin.lan, separated by spaces. Forms from other origins than these, BASE_URL and PAY_URL are refused.',
  ),
  setting('DATA_DIR', './data', 'Directory of the embedded database, the master key and demo.json.'),
  ...secret(
    'DATABASE_URL',
    'A PostgreSQL 15 or newer to use instead of the embedded one. With several servers, as postgres://user@one:5432,two:5432/name, the one that takes writes is used.',
  ),
  ...secret(
    'MIGRATE_DATABASE_URL',
    'The same database as the role that owns its tables, so that the role of DATABASE_URL, which serves, need not own anything. Used at the start, by commands and by restores. Default: one role for both, which can rewrite the ledger and the audit log.',
  ),
  ...secret(
    'READ_DATABASE_URL',
    'A standby of that database, or several as postgres://user@two:5432,three:5432/name. The first that is fit serves exports, charts and lists of the dashboard, which say how old they are; see docs/operations.md. Default: the database of DATABASE_URL serves all.',
  ),
  setting(
    'READ_DATABASE_MAX_AGE',
    '60',
    'How many seconds the data of a standby may be old. Where they are older, DATABASE_URL serves.',
  ),
  ...secret(
    'MASTER_KEY',
    'Key that seals secrets at rest, in hexadecimal or base64, or several as JSON.',
    'File with it, made at the first start. Default: DATA_DIR/master.key. With DATABASE_URL one of the three is required: every gateway of one database needs the same key.',
  ),
  setting(
    'DEMO',
    '',
    '1: seed a demo merchant, users and shop. 0: never. Default: only into a new embedded database, and only where HOST is this machine alone.',
  ),
  setting('SHOP_PORT', '4100', 'Port of the demo shop.'),
  setting(
    'CHAIN_PORT',
    '',
    'Port of the demo chain that npm start -- --chain adds. Default: 4200 if it is free at the first start, else another port; later starts use the same one.',
  ),
  setting(
    'PI_PORT',
    '',
    'Port of the demo Pi network that npm start -- --pi adds. Default: 4300 if it is free at the first start, else another port; later starts use the same one.',
  ),
  setting('METRICS_PORT', '4001', 'Port of GET /metrics.'),
  setting('METRICS_HOST', '127.0.0.1', 'Address on which GET /metrics listens. It asks for no password.'),
  setting(
    'LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug, trace or silent. Logs go to standard error.',
  ),
  setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    'Address of what collects traces by OpenTelemetry, such as http://127.0.0.1:4318. Its further settings are those of OpenTelemetry; see docs/traces.md. Default: nothing is traced.',
  ),
  setting('RATE_LIMIT', '1', '0 turns rate limits off, for benchmarks.'),
  setting(
    'TRUST_PROXY',
    '0',
    '1 takes the address of a client from X-Forwarded-For, which a proxy in front sets.',
  ),
  setting('TLS_CERT', '', 'File with the certificate chain, to serve https without a proxy.'),
  setting(
    'TLS_OCSP_FILE',
    '',
    'File with the OCSP response of its issuer, in DER, which is handed to clients in the handshake. Something else renews it; it is read at each handshake that asks for it.',
  ),
  ...secret('TLS_KEY', 'Its private key: the text that begins with -----BEGIN, or the path of its file.'),
  ...secret(
    'SMTP_URL',
    'smtp:// or smtps:// server for e-mails, with user and password in the address where it asks for them. Default: e-mails stay in the outbox; those with a link that gives access are shown by the command line alone.',
  ),
  setting(
    'MAIL_FROM',
    '',
    'Sender of e-mails: an address, or Name <address>. Default: Florin <florin@HOST>, with the host of BASE_URL.',
  ),
  setting(
    'RECEIPT_MAILS',
    '1',
    '0: customers get no receipt by mail. It goes to the customer_email of a live payment once that is completed, and only with SMTP_URL.',
  ),
  setting(
    'DIRECT_SETTLEMENT',
    'offered',
    'Whether merchants may have their payments settled to addresses of their own, on the chains of CONFIG_FILE that have a fee_address: offered, asked (the dashboard asks for it), or required (assets without such an address are not offered to customers). See docs/direct-settlement.md.',
  ),
  ...secret(
    'TELEGRAM_BOT_TOKEN',
    'Token of a Telegram bot, as @BotFather gives it, by which people of a team are told what happened. Default: there is no bot.',
  ),
  setting('TELEGRAM_API_URL', 'https://api.telegram.org', 'Where the Bot API is, for a server of your own.'),
  setting(
    'RATES',
    '',
    'Sources of rates, separated by spaces: coinbase, kraken, bitstamp, coingecko, ecb, or https addresses that answer {"PI": "0.42", "USDC": {"EUR": "0.86"}}; see docs/rates.md. Or USD rates for the minimums in live mode alone: PI=0.42,CSK=1.1. For minimums USDC and USDT are one dollar unless it says otherwise. A currency that never had a rate is refused in live mode.',
  ),
  setting('WEBHOOK_ALLOW_PRIVATE', '0', '1 lets webhooks go to private addresses.'),
  setting(
    'EVENT_RETENTION_DAYS',
    '90',
    'How many days events, their deliveries and attempts are kept: 30 at least. An event that still waits for delivery is kept until it was delivered or has failed.',
  ),
  setting(
    'SECURITY_RETENTION_DAYS',
    '365',
    'How many days failed sign-ins, refusals and limits that were reached are kept: 30 at least. Changes are kept for ever.',
  ),
  setting(
    'SECURITY_ALERTS',
    '',
    'Of which security events operators get a mail, every 15 minutes at most: failures, refusals, limits, devices, factors, keys, separated by commas. Default: none.',
  ),
  setting(
    'STAMP_HEADS_FILE',
    '',
    'File that the head of the hash chain is appended to each minute, best on another machine. Default: it is only logged.',
  ),
  setting(
    'PROVE_AT',
    '',
    'When a statement of what is owed and held is made and published at /proof, in UTC: monday 03:30, or 03:30 for each day. Default: only florin prove makes one; see docs/proof.md.',
  ),
  setting(
    'BACKUP_TO',
    '',
    'Where a backup of the database is kept each day: a directory, best on another machine, or s3://bucket/prefix. Default: there are no scheduled backups; see docs/backups.md.',
  ),
  setting(
    'BACKUP_AT',
    '02:00',
    'Time of day of the backup, in UTC. One that was missed is made soon after the start.',
  ),
  setting(
    'BACKUP_KEEP',
    '7d 4w 12m',
    'How many days, weeks and months keep their newest backup. Older ones are removed; the newest one never is.',
  ),
  setting(
    'BACKUP_RECIPIENT',
    '',
    'Public keys of age (age1…) that backups are encrypted to, separated by spaces; florin backup key makes one. Required for a bucket. Default: backups in a directory are not encrypted.',
  ),
  setting(
    'BACKUP_DRILL',
    '7',
    'After how many days a backup is tried again in a database of its own. 0: never.',
  ),
  setting(
    'BACKUP_WAL',
    '1',
    'Whether each change of an embedded database goes to BACKUP_TO within a minute too, so that it can be restored to any moment of the days of BACKUP_KEEP. 0: it does not.',
  ),
  setting(
    'BACKUP_S3_ENDPOINT',
    '',
    'Address of what speaks the protocol of S3, such as https://minio.lan:9000. Default: Amazon S3 in AWS_REGION.',
  ),
  setting('AWS_REGION', 'us-east-1', 'Region of the bucket.'),
  setting('AWS_ACCESS_KEY_ID', '', 'Id of the key that may list, read, write and delete in the bucket.'),
  ...secret('AWS_SECRET_ACCESS_KEY', 'Its secret.'),
  ...secret('AWS_SESSION_TOKEN', 'Token that belongs to a key which ends.'),
  setting(
    'WALLETS',
    '',
    'Who may make a wallet on the pages at /wallet/: open: everybody; invitation: whoever has one of florin users invite; off: there are no such pages. Default: open where demo data may be seeded, else off. With WALLET_BACKEND_URL they are off.',
  ),
  setting(
    'SECURITY_CONTACT',
    '',
    'Where people report a vulnerability of this installation: mailto:, https:// or tel: addresses, separated by spaces. It is shown at /.well-known/security.txt. Default: there is no such file.',
  ),
  setting(
    'SECURITY_EXPIRES',
    '',
    'Until when that holds, as 2027-06-30, best a year ahead at most. Required with SECURITY_CONTACT. From that day on there is no such file.',
  ),
  setting(
    'WALLET_BACKEND_URL',
    '',
    'Address of another system that holds the wallets of users. Default: the ledger of Florin.',
  ),
  ...secret('WALLET_BACKEND_TOKEN', 'Bearer token for it.'),
  setting(
    'WALLET_BACKEND_NAME',
    'Florin',
    'Its name, as customers read it when they pay: Pay from your … wallet.',
  ),
  setting(
    'KYC_URL',
    '',
    'Address that is asked for the level of a user, such as that of a KYC provider. Default: operators alone set levels.',
  ),
  ...secret('KYC_SECRET', 'Secret that signs those questions.'),
  setting(
    'WITHDRAWAL_CHECKS',
    '',
    '0: users withdraw without a second factor, and to a new address at once. Default: 1, and 0 in the demo.',
  ),
  setting(
    'CONFIG_FILE',
    '',
    'JSON file with the chains on which live payments are taken, further assets and default networks; see docs/configuration.md.',
  ),
];
