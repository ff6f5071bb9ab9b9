/**
 * Words and phrases that people use for one thing; whoever asks by one finds the others too, a little behind. `more > fewer`: who asks by one of
 * the left finds also what the right names, and not the other way round.
 */
export const synonyms: readonly string[] = [
  // Keys and rights.
  'rotate, roll, renew, regenerate',
  'leaked, stolen, exposed, compromised > roll, revoke',
  'api key, secret key, access token, credentials > key',
  'permission, permissions, rights > role',
  'team member, employee, staff, colleague, coworker > team',
  'authenticator, 2fa, mfa, totp, otp, two factor > second factor',
  'login, log in, signin > sign in',
  'forgot, forgotten > lost, reset',
  // Going live.
  'go live, going live, live mode, production, launch > live',
  'checklist > tasks',
  'activate my account, get approved, approval for live > going live',
  // Payments.
  'fiat, eur, euro, euros, usd, dollar, dollars, gbp, jpy > price',
  'exchange rate, conversion rate, rates, rate',
  'underpay, underpaid, underpayment, pays too little, paid too little, too little, paid less > short payment, part paid',
  'overpay, overpaid, overpayment, paid too much, pays too much, too much > overpayment',
  'wrong coin, wrong token, wrong currency > another currency',
  'expired, too late > deadline, late',
  'abandonment, abandoned, abandon > expire',
  'pending, waiting, confirmations',
  'dispute, complaint, chargeback > appeal',
  'invoice, bill > payment link',
  'button, buy button, payment button > payment link',
  'without code, no code > payment link',
  'iframe, embed, embedded, lightbox, overlay, modal > pop-up',
  'memo, destination tag > memo',
  'fee, fees, commission, charges',
  // Money out.
  'refund, money back, give back, reimburse, return money',
  'payout, payouts, withdraw, withdrawal, cash out, money out, pay out',
  'tax, accountant, accounting, bookkeeping, bookkeeper, ledger export > books, csv',
  // Webhooks.
  'webhook, callback, ipn, postback',
  'localhost, own machine, my machine, laptop, local server, local, ngrok, tunnel > own machine',
  'invalid signature, bad signature, signature mismatch, wrong signature > verify genuine',
  'retry, retried, try again, send again, resend, sent again',
  'timed out, timeout, no answer, lost answer, network error > answer',
  'twice, double, duplicate > idempotency',
  // Tests.
  'simulate, mock, fake, play > outcome',
  'sandbox, test mode, testing',
  'speed up time, time travel, skip time, advance time, fast forward > test clock',
  // Developers.
  'library, client library, package, sdk',
  'requests per second, rate limit, throttling, throttle',
  'error code, status code, refused, refusal, failure code > error',
  'ai, llm, gpt, claude, chatbot, copilot, mcp > agent',
  'tab completion, autocomplete > completion zsh',
  'command line, terminal, shell, cli',
  // Shops and pages.
  'wordpress, woo, woocommerce',
  'plugin, plug-in, extension, addon',
  'migrate from, switch from, coming from > move',
  'translate, translation, locale, i18n, localization > language',
  'notification, notifications, notify, alert, alerts, message > notice',
  // Operators.
  'postgres, postgresql, database, db',
  'nginx, caddy, apache, haproxy, reverse proxy > proxy',
  'https, ssl, certificate, tls',
  'upgrade, update, new version > upgrading',
  'another server, new server, other server, move server, migrate server > restore',
  'back up, backup, dump',
  'environment variable, environment variables, env > settings',
  'prometheus, grafana, monitoring, metrics',
  'docker, container, kubernetes, k8s, systemd > operations',
  'gdpr, dsgvo, privacy, personal data, data protection > personal data',
  'add a network, add a chain, new network, new chain > chains',
  'network, chain, blockchain, evm',
  'hot wallet, cold wallet, multisig, gnosis > vault, safe',
  'kyc, aml > level',
  'vulnerability, security bug, responsible disclosure > vulnerability',
];
