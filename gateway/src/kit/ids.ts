import { randomBytes } from 'node:crypto';

/** A UUID, branded with what it names, so that a payment's id cannot be passed where an integration's is expected. */
export type Id<Name extends string> = string & { readonly __id: Name };

/** The text of a UUID in lower case, as this installation writes them. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Sort before and after every id: where a walk through a table begins and ends. */
export const firstId = '00000000-0000-0000-0000-000000000000';
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

// One call of randomBytes for many ids: the call takes longer than the rest of an id.
let pool: Buffer = Buffer.alloc(0);
let used = 0;

/** Where `size` bytes of the pool begin that nothing has used. */
function take(size: number): number {
  if (used + size > pool.length) {
    pool = randomBytes(8192);
    used = 0;
  }
  used += size;
  return used - size;
}

/** `size` bytes of a cryptographic random source. */
export function random(size: number): Buffer {
  const from = take(size);
  return pool.subarray(from, from + size);
}

// The 12 bits after the time count the ids of one millisecond: made in order, they fill the pages of an index in order.
const mostCounted = 0xfff;
const version = 0x7000;
let countedMs = -1;
let time = '';
let count = 0;

/** A version 7 UUID: rows that are made one after the other are near each other in their index. */
export function newId<Name extends string>(now: Date = new Date()): Id<Name> {
  const ms = now.getTime();
  if (ms === countedMs) count = Math.min(count + 1, mostCounted);
  else {
    countedMs = ms;
    count = 0;
    time = timeOf(ms);
  }
  const from = take(8);
  pool[from] = ((pool[from] ?? 0) & 0x3f) | 0x80;
  const tail = pool.toString('hex', from, from + 8);
  return `${time}-${(version | count).toString(16)}-${tail.slice(0, 4)}-${tail.slice(4)}` as Id<Name>;
}

/** The beginning of the ids of a millisecond. */
function timeOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Sorts before every id of that millisecond, and after every id of the one before. */
export function firstIdAt(moment: Date): string {
  return `${timeOf(Math.max(moment.getTime(), 0))}-0000-0000-000000000000`;
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` random Crockford base-32 characters, five bits each. */
export function randomCrockford(length: number): string {
  let text = '';
  for (const byte of random(length)) text += crockford[byte & 31];
  return text;
}

/** A number below 2^40 as eight Crockford base-32 characters that sort as it does. */
export function crockfordTime(seconds: number): string {
  let text = '';
  for (let place = 7; place >= 0; place--) text += crockford[Math.floor(seconds / 32 ** place) % 32];
  return text;
}

/** `length` random base-62 characters, each equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      // 248 = 4 * 62: with larger bytes, the first characters would come more often.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** 128 random bits as 22 URL-safe characters. */
export function randomToken(): string {
  return Buffer.from(random(16)).toString('base64url');
}
