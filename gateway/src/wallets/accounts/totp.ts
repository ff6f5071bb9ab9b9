import { createHmac, timingSafeEqual } from 'node:crypto';

// Codes of authenticator apps (RFC 6238: SHA-1, 30 s, six digits), as all apps make them.

const stepSeconds = 30;
const digits = 6;
/** A code of the step before or after counts too: clocks differ, and people type slowly. */
const window = [0, -1, 1] as const;

export const secretBytes = 20;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base 32 (RFC 4648) without padding. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

/** The address that an app takes as a QR code. */
export function totpAddress(secret: Buffer, issuer: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  return `otpauth://totp/${label}?${new URLSearchParams({ secret: base32(secret), issuer })}`;
}

export function stepOf(now: Date): number {
  return Math.floor(now.getTime() / 1000 / stepSeconds);
}

/** The code of one step. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return `${number}`.padStart(digits, '0');
}

/** The step whose code this is, after `lastStep`; null: it is none. */
export function matchingStep(secret: Buffer, code: string, now: Date, lastStep: number): number | null {
  const given = Buffer.from(code);
  const steps = window.map((shift) => stepOf(now) + shift).filter((step) => step > lastStep);
  const match = steps.filter((step) => {
    const right = Buffer.from(codeOf(secret, step));
    return right.length === given.length && timingSafeEqual(right, given);
  });
  return match[0] ?? null;
}
