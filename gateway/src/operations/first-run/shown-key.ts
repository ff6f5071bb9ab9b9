import { createHash, timingSafeEqual } from 'node:crypto';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { Secret } from '../../kit/secret.ts';
import { readKeys } from '../master-key-file.ts';

/** How many characters of a copy are typed to show that there is one. */
const typedCharacters = 8;

/** The key that values are sealed with, as 64 hexadecimal digits, and its id. Throws where this process lacks it. */
export async function activeKey(reader: Reader, source: Secret): Promise<{ key: string; id: string }> {
  const answer = await reader.query<{ id: string }>(`SELECT id FROM master_keys WHERE state = 'active'`);
  const { id } = oneRow(answer, 'active master key');
  const found = (await readKeys(source)).find((each) => each.id === id);
  if (!found) throw new Error(`The master key ${id} is not there`);
  return { key: found.bytes.toString('hex'), id };
}

/** Whether somebody who has the key typed this. */
export async function beginsKey(reader: Reader, source: Secret, typed: string): Promise<boolean> {
  const { key } = await activeKey(reader, source);
  return isSame(typed.trim().toLowerCase(), key.slice(0, typedCharacters));
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
