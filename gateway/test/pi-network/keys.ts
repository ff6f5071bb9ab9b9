import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';

/** What a demo network is made of beside its ledgers. Keys are of no use anywhere else. */
export type NetworkKeys = {
  passphrase: string;
  custody: Keypair;
  payer: Keypair;
  /** Who the payer is in the app. */
  userUid: string;
  platformKey: string;
};

/** `network.json`: what the gateway reads of it, and what is needed to start again. */
type Kept = {
  port: number;
  passphrase: string;
  custody_account: string;
  payer_secret: string;
  user_uid: string;
};

export function filesOf(directory: string) {
  return {
    record: join(directory, 'network.json'),
    ledgers: join(directory, 'ledgers.jsonl'),
    payments: join(directory, 'payments.jsonl'),
    custodyKey: join(directory, 'custody.key'),
    platformKey: join(directory, 'platform.key'),
  };
}

/** The keys of the network that was here before; null where there was none, or not all of it. */
export async function readKeys(directory: string): Promise<NetworkKeys | null> {
  const files = filesOf(directory);
  if (!existsSync(files.record) || !existsSync(files.ledgers)) return null;
  const kept = JSON.parse(await readFile(files.record, 'utf8')) as Kept;
  const secret = async (path: string) => (await readFile(path, 'utf8')).trim();
  return {
    passphrase: kept.passphrase,
    custody: Keypair.fromSecret(await secret(files.custodyKey)),
    payer: Keypair.fromSecret(kept.payer_secret),
    userUid: kept.user_uid,
    platformKey: await secret(files.platformKey),
  };
}

/** Keys of a new network, whose name no other one has; what is left of an earlier one is removed. */
export async function makeKeys(directory: string): Promise<NetworkKeys> {
  for (const path of Object.values(filesOf(directory))) await rm(path, { force: true });
  return {
    passphrase: `Florin Demo Pi ${randomBytes(6).toString('hex')}`,
    custody: Keypair.random(),
    payer: Keypair.random(),
    userUid: randomUUID(),
    platformKey: randomBytes(24).toString('base64url'),
  };
}

/** Keeps them for their owner alone; `network.json` last, for with it the network counts as made. */
export async function keepKeys(directory: string, keys: NetworkKeys, port: number): Promise<void> {
  const files = filesOf(directory);
  const { passphrase, custody, payer, userUid, platformKey } = keys;
  const kept: Kept = {
    port,
    passphrase,
    custody_account: custody.publicKey(),
    payer_secret: payer.secret(),
    user_uid: userUid,
  };
  const write = (path: string, text: string) => writeFile(path, `${text}\n`, { mode: 0o600 });
  await write(files.custodyKey, custody.secret());
  await write(files.platformKey, platformKey);
  await write(`${files.record}.new`, JSON.stringify(kept, null, 2));
  await rename(`${files.record}.new`, files.record);
}
