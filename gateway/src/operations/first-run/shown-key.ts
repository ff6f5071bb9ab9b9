import { createHash, timingSafeEqual } from 'node:crypto';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { MasterKey } from '../../kit/seal.ts';
import type { Secret } from '../../kit/secret.ts';
import { readKeys } from '../master-key-file.ts';

/** The id of the key that values are sealed with. */
export async function activeKeyId(reader: Reader): Promise<string> {
  const answer = await reader.query<{ id: string }>(`SELECT id FROM master_keys WHERE state = 'active'`);
  return oneRow(answer, 'active master key').id;
}

/** The key that values are sealed with. Throws where this process lacks it. */
async function activeKey(reader: Reader, source: Secret): Promise<MasterKey> {
  const id = await activeKeyId(reader);
  const key = (await readKeys(source)).find((each) => each.id === id);
  if (!key) throw new Error(`The master key ${id} is not there`);
  return key;
}

/** The active key as it is written down: 64 hexadecimal digits. */
export async function keyText(reader: Reader, source: Secret): Promise<{ key: string; id: string }> {
  const { id, bytes } = await activeKey(reader, source);
  return { key: bytes.toString('hex'), id };
}

/** How many characters of a copy are typed to show that there is one. */
const typedCharacters = 8;

/** Whether somebody has the key: they know its id, or typed how the copy begins. */
export async function hasCopy(
  reader: Reader,
  source: Secret,
  { keyId, begins }: { keyId: string | null; begins: string | null },
): Promise<boolean> {
  const { id, bytes } = await activeKey(reader, source);
  if (keyId !== null) return keyId.toLowerCase() === id;
  const typed = (begins ?? '').trim().toLowerCase();
  return isSame(typed, bytes.toString('hex').slice(0, typedCharacters));
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
