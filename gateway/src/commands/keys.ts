import { readConfig } from '../config/config.ts';
import { type Change, commandActor, recordChange } from '../identity/audit/audit-log.ts';
import type { IntegrationId, Mode } from '../identity/integration.ts';
import { type KeyActs, keyActs } from '../identity/keys/key-acts.ts';
import type { KeysOf } from '../identity/keys/key-changes.ts';
import { type ListedKey, listKeys, ownerOfKey } from '../identity/keys/key-list.ts';
import { restrictionsReader } from '../identity/keys/key-schema.ts';
import { after, systemClock } from '../kit/clock.ts';
import { type Reader, type Tx, transaction } from '../kit/db/db.ts';
import { isUuid } from '../kit/ids.ts';
import { openAssets } from '../money/assets.ts';
import { openSeal } from '../operations/master-key.ts';
import { withDatabase } from './with-database.ts';

/** The integration and mode of the keys, from the command line. */
export type KeysNamed = { integration: string; mode: string };

const daySeconds = 24 * 3600;
const maxOverlapDays = 7;
const listed = 1000;

/** Lists the keys of an integration's mode, newest first, each by the end of its secret. Returns the exit code. */
export async function listIntegrationKeys(
  env: NodeJS.ProcessEnv,
  named: KeysNamed & { json?: boolean },
): Promise<number> {
  const keys = await withDatabase(env, async (db) =>
    listKeys(db, await ownerNamed(db, named), { before: null, limit: listed }, systemClock()),
  );
  process.stdout.write(named.json ? `${JSON.stringify(keys)}\n` : keys.map(lineOf).join(''));
  return 0;
}

export type NewKey = KeysNamed & {
  /** True for the mode's first signing key; the other options then do not apply. */
  signing?: boolean;
  name?: string | undefined;
  actions?: string[] | undefined;
  addresses?: string[] | undefined;
  /** Decimals by asset code. */
  dailyLimits?: Record<string, string> | undefined;
  /** What it orders above its daily limits waits for a person's approval. */
  asksAbove?: boolean | undefined;
  /** When it ends by itself, in seconds from now. */
  lifeSeconds?: number | undefined;
};

/** Makes a key and prints its secret, which is shown only now. Returns the exit code. */
export async function createIntegrationKey(env: NodeJS.ProcessEnv, wanted: NewKey): Promise<number> {
  const { assets } = readConfig(env);
  const readRestrictions = restrictionsReader(openAssets(assets), systemClock);
  const made = await changeKeys<object>(env, async (tx, acts) => {
    const owner = await ownerNamed(tx, wanted);
    if (wanted.signing) {
      const { secret, change } = await acts.makeSigning(tx, owner, 'command line');
      return { change, report: { secret_key: secret } };
    }
    const {
      name,
      actions,
      addresses,
      dailyLimits: daily_limits,
      asksAbove: asks_above,
      lifeSeconds,
    } = wanted;
    const ends_at = lifeSeconds === undefined ? undefined : after(systemClock(), lifeSeconds).toISOString();
    const restrictions = readRestrictions({ name, actions, addresses, daily_limits, asks_above, ends_at });
    const { id, secret, change } = await acts.make(tx, owner, restrictions, 'command line');
    return { change, report: { id, secret_key: secret } };
  });
  return print(made);
}

/** Rolls a key and prints the new secret, which is shown only now. Both keys work during the overlap. Returns the exit code. */
export async function rollIntegrationKey(
  env: NodeJS.ProcessEnv,
  { key, overlapDays }: { key: string; overlapDays: number },
): Promise<number> {
  if (!(overlapDays >= 0 && overlapDays <= maxOverlapDays)) {
    throw new Error(`the overlap must be 0 to ${maxOverlapDays} days`);
  }
  const rolled = await changeKeys(env, async (tx, acts) => {
    const owner = await ownerOf(tx, key);
    const overlapSeconds = Math.round(overlapDays * daySeconds);
    const { id, secret, oldValidUntil, change } = await acts.roll(
      tx,
      owner,
      { keyId: key, overlapSeconds },
      'command line',
    );
    return { change, report: { id, secret_key: secret, old_valid_until: oldValidUntil } };
  });
  return print(rolled);
}

/** Ends a key at once; a signing key only after it was rolled. Returns the exit code. */
export async function revokeIntegrationKey(env: NodeJS.ProcessEnv, key: string): Promise<number> {
  const revoked = await changeKeys(env, async (tx, acts) => {
    const change = await acts.revoke(tx, await ownerOf(tx, key), key);
    return { change, report: `${key} is revoked\n` };
  });
  process.stdout.write(revoked);
  return 0;
}

/** Webhooks are signed with the newest signing key before the overlap of a roll ends. Returns the exit code. */
export async function switchIntegrationSigning(env: NodeJS.ProcessEnv, named: KeysNamed): Promise<number> {
  const report = await changeKeys(env, async (tx, acts) => {
    const change = await acts.switchSigning(tx, await ownerNamed(tx, named));
    return { change, report: `${named.mode} webhooks of ${named.integration} are signed with the new key\n` };
  });
  process.stdout.write(report);
  return 0;
}

/** Makes a change with its entry in the audit log, and returns the text to print. */
async function changeKeys<T>(
  env: NodeJS.ProcessEnv,
  act: (tx: Tx, acts: KeyActs) => Promise<{ change: Change; report: T }>,
): Promise<T> {
  return await withDatabase(env, async (db, config) => {
    const acts = keyActs({ seal: await openSeal(db, config.masterKey), now: systemClock });
    return await transaction(db, async (tx) => {
      const { change, report } = await act(tx, acts);
      await recordChange(tx, commandActor, change, systemClock());
      return report;
    });
  });
}

async function ownerNamed(reader: Reader, { integration, mode }: KeysNamed): Promise<KeysOf> {
  if (!isMode(mode)) throw new Error(`the mode must be test or live, not ${mode}`);
  const isThere =
    isUuid(integration) &&
    (await reader.query('SELECT FROM integrations WHERE id = $1', [integration])).rowCount === 1;
  if (!isThere) throw new Error(`there is no integration ${integration}`);
  return { integrationId: integration as IntegrationId, mode };
}

async function ownerOf(reader: Reader, key: string): Promise<KeysOf> {
  const owner = isUuid(key) ? await ownerOfKey(reader, key) : null;
  if (!owner) throw new Error(`there is no key ${key}; \`florin keys list\` shows their ids`);
  return owner;
}

function isMode(text: string): text is Mode {
  return text === 'test' || text === 'live';
}

function print(report: object): number {
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  return 0;
}

function lineOf({ id, hint, kind, name, signing, good, valid_until: until }: ListedKey): string {
  const life = until === null ? 'good' : `${good ? 'good until' : 'ended'} ${until.toISOString()}`;
  const what =
    kind === 'signing' ? `signing key${signing ? ', signs webhooks' : ''}` : `restricted key: ${name}`;
  return `${id}  ${hint}  ${life}  ${what}\n`;
}
