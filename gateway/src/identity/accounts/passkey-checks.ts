import { Type } from 'typebox';
import type { Reader } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { identityErrors } from '../errors.ts';

/** What `navigator.credentials` answered, as JSON. */
export const PasskeyBody = Type.Object({ response: Type.Object({ id: Type.String() }) });

/** The account of a passkey, by its id in base64url; null for an unknown one. */
export async function accountOfPasskey(reader: Reader, credentialId: string): Promise<string | null> {
  if (!/^[\w-]+$/.test(credentialId)) return null;
  const { rows } = await reader.query<{ account_id: string }>(
    'SELECT account_id FROM passkeys WHERE credential_id = $1',
    [credentialId],
  );
  return rows[0]?.account_id ?? null;
}

// Flags of the authenticator data (WebAuthn level 3, 6.1): they are signed together with the challenge.
const flagsAt = 32;
const userVerified = 0x04;

/**
 * Throws when the passkey did not ask for a PIN, a fingerprint or the like: it replaces password and code together.
 * better-auth only prefers that it asks.
 */
export function assertUserVerified(credential: object): void {
  const { response } = credential as { response?: { authenticatorData?: unknown } };
  const data = Buffer.from(String(response?.authenticatorData ?? ''), 'base64url');
  if (((data[flagsAt] ?? 0) & userVerified) === 0) throw refuse(identityErrors.passkey_unconfirmed);
}

/** The options of a sign-in, changed so that the browser must ask. */
export function signInOptions(options: Record<string, unknown>): Record<string, unknown> {
  return { ...options, userVerification: 'required' };
}
