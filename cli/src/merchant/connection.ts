import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The gateway and the key that a command uses. */
export type Connection = {
  url: string;
  secretKey: string;
  /** The key for calls by which money leaves: the demo has one for them; else it is the same key. */
  moneyKey: string;
  mode: 'test' | 'live';
  /** The file in which the key was found; null when the key was given. */
  foundIn: string | null;
};

export type Given = { url?: string | undefined; key?: string | undefined };

const defaultUrl = 'http://127.0.0.1:4000';

const noKey = `no secret key: set FLORIN_SECRET_KEY, or pass --key.
The dashboard shows how to make one under Developers, API keys. In a project whose gateway has a demo
(npm start), run the command there and its key is found by itself.`;

/**
 * Finds the gateway and the key: from the command line, else from FLORIN_URL and FLORIN_SECRET_KEY, else from the demo
 * of this directory. Throws when there is no key.
 */
export function findConnection(given: Given, env: NodeJS.ProcessEnv): Connection {
  const url = given.url ?? (env.FLORIN_URL || undefined);
  const key = given.key ?? (env.FLORIN_SECRET_KEY || undefined);
  const demo = url === undefined || key === undefined ? readDemo(env) : null;
  const place = trimmed(url ?? demo?.base_url ?? defaultUrl);
  if (key !== undefined) {
    return { url: place, secretKey: key, moneyKey: key, mode: modeOf(key), foundIn: null };
  }
  // The demo's key is sent only to the demo's gateway.
  if (!demo || place !== trimmed(demo.base_url)) throw new Error(noKey);
  const { secret_key: secretKey, payout_keys, file: foundIn } = demo;
  return { url: place, secretKey, moneyKey: payout_keys?.test ?? secretKey, mode: 'test', foundIn };
}

/** The gateway of calls that bring a key of their own: from the command line, else from FLORIN_URL, else the demo's. */
export function findUrl({ url }: Given, env: NodeJS.ProcessEnv): string {
  return trimmed((url ?? env.FLORIN_URL) || (readDemo(env)?.base_url ?? defaultUrl));
}

function modeOf(key: string): 'test' | 'live' {
  const mode = /^sk_(test|live)_\w+$/.exec(key)?.[1];
  if (mode === undefined) throw new Error('the secret key must begin with sk_test_ or sk_live_');
  return mode as 'test' | 'live';
}

type Demo = {
  base_url: string;
  secret_key: string;
  payout_keys: { test?: string } | undefined;
  file: string;
};

/** What `npm start` stored for its demo merchant; null when there is none, or it cannot be read. */
function readDemo(env: NodeJS.ProcessEnv): Demo | null {
  const file = join(env.DATA_DIR || './data', 'demo.json');
  try {
    const { base_url, secret_key, payout_keys } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Demo>;
    if (typeof base_url !== 'string' || typeof secret_key !== 'string') return null;
    return { base_url, secret_key, payout_keys, file };
  } catch {
    return null;
  }
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}
