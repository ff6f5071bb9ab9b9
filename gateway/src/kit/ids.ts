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

/** `size` bytes of a cryptographic random source. */
export function random(size: number): Buffer {
  if (used + size > pool.length) {
    pool = randomBytes(8192);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}

// The 12 bits after the time count the ids of one millisecond: made in order, they fill the pages of an index in order.
const mostCounted = 0xfff;
let countedMs = -1;
let count = 0;

/** A version 7 UUID: rows that are made one after the other are near each other in their index. */
export function newId<Name extends string>(now: Date = new Date()): Id<Name> {
  const ms = now.getTime();
  count = ms === countedMs ? Math.min(count + 1, mostCounted) : 0;
  countedMs = ms;
  const bytes = Buffer.from(random(16));
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Id<Name>;
}

/** Sorts before every id of that millisecond, and after every id of the one before. */
export function firstIdAt(moment: Date): string {
  const time = Math.max(moment.getTime(), 0).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
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
