import type { Config } from '../../config/config.ts';
import type { SetupStep } from '../../identity/setup/steps.ts';
import type { ShownSetting } from './answers.ts';

/** What the settings are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Read = (config: Config, env: Environment) => string | null;

const plain =
  (name: string): Read =>
  (_config, env) =>
    env[name] || null;
/** Addresses may hold passwords and keys: only their hosts are shown. */
const hostOf = (url: string | null): string | null => (url === null ? null : (URL.parse(url)?.host ?? null));
const withHostsOnly = (text: string | undefined): string | null =>
  text ? text.replace(/https?:\/\/\S+/g, (address) => hostOf(address) ?? '…') : null;

/** The settings of each step and how each is shown. */
const ofStep: Record<SetupStep, Record<string, Read>> = {
  account: {},
  address: {
    BASE_URL: ({ baseUrl }) => baseUrl,
    PAY_URL: ({ payUrl }) => payUrl,
    TRUST_PROXY: ({ trustProxy }) => (trustProxy ? '1' : '0'),
    HOST: ({ host }) => host,
    PORT: ({ port }) => `${port}`,
  },
  mail: { SMTP_URL: ({ smtpUrl }) => hostOf(smtpUrl), MAIL_FROM: ({ mailFrom }) => mailFrom },
  master_key: {},
  chains: { CONFIG_FILE: plain('CONFIG_FILE') },
  treasury: { CONFIG_FILE: plain('CONFIG_FILE') },
  rates: { RATES: (_config, env) => withHostsOnly(env.RATES) },
  backups: {
    BACKUP_TO: (_config, env) => withHostsOnly(env.BACKUP_TO),
    BACKUP_AT: plain('BACKUP_AT'),
    BACKUP_KEEP: plain('BACKUP_KEEP'),
    BACKUP_RECIPIENT: plain('BACKUP_RECIPIENT'),
  },
};

/** The settings of a step as they are now. `from`: the variable that sets one; null: it has its default. */
export function settingsOf(step: SetupStep, config: Config, env: Environment): ShownSetting[] {
  return Object.entries(ofStep[step]).map(([name, read]) => ({
    name,
    value: read(config, env),
    from: [name, `${name}_FILE`, `${name}_COMMAND`].find((each) => env[each]) ?? null,
  }));
}
