import type { AgreedSplit } from '@florin/sdk';
import type { Mode } from './store.ts';

/** What lets a shop take live payments beside test ones. */
type LiveConfig = {
  /** `sk_live_...` */
  secretKey: string;
  /** The secret of the live endpoint, which points at `/webhook/live`. */
  webhookSecret: string;
  /** What a customer is told of live payments. */
  note: string;
  /** Those that can be paid live; empty: all. */
  currencies: string[];
};

/** All that a shop has to know. */
export type ShopConfig = {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Path of the SQLite file; `:memory:` keeps nothing. */
  dataPath: string;
  /** The address that customers see; by default the one that is listened on. */
  publicUrl?: string | undefined;
  /** Base address of the Florin gateway. */
  florinUrl: string;
  /** Where its hosted payment page lies, if not on `florinUrl`. */
  payUrl?: string | undefined;
  /** The integration's secret key (`sk_...`). */
  secretKey: string;
  /** The webhook endpoint's secret (`whsec_...`). */
  webhookSecret: string;
  /** Beside a test key, a live one: the customer then chooses. */
  live?: LiveConfig | undefined;
  /** Where the money of its payments must go: no other address is shown to a customer. */
  agreed?: AgreedSplit | undefined;
};

type Environment = Record<string, string | undefined>;

/**
 * Reads the configuration from environment variables.
 * @throws Error that names every variable which is missing or wrong, and no secret.
 */
export function readConfig(env: Environment): ShopConfig {
  const port = env.SHOP_PORT || '4100';
  const faults = [
    /^\d{1,5}$/.test(port) || 'SHOP_PORT must be a port number',
    isAddress(env.FLORIN_URL) || 'FLORIN_URL must be the address of the gateway',
    !env.FLORIN_PAY_URL || isAddress(env.FLORIN_PAY_URL) || 'FLORIN_PAY_URL must be an address',
    !env.SHOP_URL || isAddress(env.SHOP_URL) || 'SHOP_URL must be an address',
    env.FLORIN_SECRET_KEY?.startsWith('sk_') || 'FLORIN_SECRET_KEY must start with sk_',
    env.FLORIN_WEBHOOK_SECRET?.startsWith('whsec_') || 'FLORIN_WEBHOOK_SECRET must start with whsec_',
    !env.FLORIN_LIVE_KEY ||
      env.FLORIN_LIVE_KEY.startsWith('sk_live_') ||
      'FLORIN_LIVE_KEY must start with sk_live_',
    !env.FLORIN_LIVE_KEY ||
      env.FLORIN_LIVE_WEBHOOK_SECRET?.startsWith('whsec_') ||
      'FLORIN_LIVE_WEBHOOK_SECRET must start with whsec_',
    !env.FLORIN_OWN_ADDRESS ||
      (env.FLORIN_HOST_ADDRESS && /^\d{1,4}$/.test(env.FLORIN_BASIS_POINTS ?? '')) ||
      'FLORIN_OWN_ADDRESS needs FLORIN_HOST_ADDRESS and FLORIN_BASIS_POINTS',
  ].filter((fault) => typeof fault === 'string');
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return {
    host: env.SHOP_HOST || '127.0.0.1',
    port: Number.parseInt(port, 10),
    dataPath: env.SHOP_DATA || 'shop.sqlite',
    publicUrl: env.SHOP_URL || undefined,
    florinUrl: env.FLORIN_URL!,
    payUrl: env.FLORIN_PAY_URL || undefined,
    secretKey: env.FLORIN_SECRET_KEY!,
    webhookSecret: env.FLORIN_WEBHOOK_SECRET!,
    live: readLive(env),
    agreed: readAgreed(env),
  };
}

function readLive(env: Environment): LiveConfig | undefined {
  if (!env.FLORIN_LIVE_KEY) return undefined;
  return {
    secretKey: env.FLORIN_LIVE_KEY,
    webhookSecret: env.FLORIN_LIVE_WEBHOOK_SECRET!,
    note: env.FLORIN_LIVE_NOTE || 'With real money.',
    currencies: env.FLORIN_LIVE_CURRENCIES?.split(' ') ?? [],
  };
}

function readAgreed(env: Environment): AgreedSplit | undefined {
  if (!env.FLORIN_OWN_ADDRESS) return undefined;
  const basisPoints = Number.parseInt(env.FLORIN_BASIS_POINTS!, 10);
  return { merchant: env.FLORIN_OWN_ADDRESS, host: env.FLORIN_HOST_ADDRESS!, basisPoints };
}

/** Which payments a secret key makes. */
export function modeOfKey(secretKey: string): Mode {
  return secretKey.startsWith('sk_live_') ? 'live' : 'test';
}

function isAddress(value: string | undefined): boolean {
  return value !== undefined && /^https?:/.test(value) && URL.canParse(value);
}
