import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isUniqueViolation, type Reader, type Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { UserId } from '../users.ts';
import { makeToken, useToken } from './tokens.ts';

/** Where passkeys are made and used: the host they are bound to, and the origins that may ask for them. */
export type PasskeyPlace = { host: string; origins: string[] };

const name = 'Florin';

/** Loaded with the first passkey: many gateways never need it. */
const library = () => import('@simplewebauthn/server');

/** What `navigator.credentials.create` takes, and the token that the answer comes with. */
export async function registrationOptions(
  tx: Tx,
  place: PasskeyPlace,
  { id, username }: { id: UserId | null; username: string },
  now: Date,
): Promise<{ options: PublicKeyCredentialCreationOptionsJSON; token: string }> {
  const { rows } = await tx.query<{ credential_id: string }>(
    'SELECT credential_id FROM user_passkeys WHERE user_id = $1',
    [id],
  );
  const webauthn = await library();
  const options = await webauthn.generateRegistrationOptions({
    rpName: name,
    rpID: place.host,
    userName: username,
    attestationType: 'none',
    excludeCredentials: rows.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const token = await makeToken(tx, 'passkey', { userId: id, value: options.challenge }, now);
  return { options, token };
}

export type NewPasskey = { credentialId: string; publicKey: Buffer; counter: number; transports: string[] };

/** Checks the answer of `create` against the challenge of its token, which is good once; null: it is not right. */
export async function checkRegistration(
  tx: Tx,
  place: PasskeyPlace,
  { token, response, userId }: { token: string; response: unknown; userId: UserId | null },
  now: Date,
): Promise<NewPasskey | null> {
  const asked = await useToken(tx, 'passkey', token, now);
  if (!asked || asked.userId !== userId) return null;
  const webauthn = await library();
  const { verified, registrationInfo } = await webauthn
    .verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: asked.value,
      expectedOrigin: place.origins,
      expectedRPID: place.host,
      requireUserVerification: true,
    })
    .catch(() => ({ verified: false, registrationInfo: undefined }));
  if (!verified || !registrationInfo) return null;
  const { credential } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
  };
}

const mostPasskeys = 20;

/** Gives a user a passkey; false when there are too many, or somebody has it. */
export async function addPasskey(
  tx: Tx,
  userId: UserId,
  passkey: NewPasskey & { name: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx
    .query(
      `INSERT INTO user_passkeys (id, user_id, name, credential_id, public_key, counter, transports, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8
       WHERE (SELECT count(*) FROM user_passkeys WHERE user_id = $2) < $9`,
      [
        newId(now),
        userId,
        passkey.name,
        passkey.credentialId,
        passkey.publicKey,
        passkey.counter,
        passkey.transports,
        now,
        mostPasskeys,
      ],
    )
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) return { rowCount: 0 };
      throw error;
    });
  return rowCount === 1;
}

/** What `navigator.credentials.get` takes for any passkey of this place, and the token that the answer comes with. */
export async function signInOptions(
  tx: Tx,
  place: PasskeyPlace,
  now: Date,
): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; token: string }> {
  const webauthn = await library();
  const options = await webauthn.generateAuthenticationOptions({
    rpID: place.host,
    userVerification: 'required',
  });
  return { options, token: await makeToken(tx, 'passkey', { userId: null, value: options.challenge }, now) };
}

type PasskeyRow = {
  id: string;
  user_id: UserId;
  credential_id: string;
  public_key: Buffer;
  counter: number;
};

/** Whose passkey answered the challenge of the token, which is good once; null: nobody's, or the answer is not right. */
export async function checkSignIn(
  tx: Tx,
  place: PasskeyPlace,
  { token, response }: { token: string; response: unknown },
  now: Date,
): Promise<UserId | null> {
  const asked = await useToken(tx, 'passkey', token, now);
  const { id } = response as Partial<AuthenticationResponseJSON>;
  if (!asked || asked.userId !== null || typeof id !== 'string' || !/^[\w-]+$/.test(id)) return null;
  const { rows } = await tx.query<PasskeyRow>(
    'SELECT id, user_id, credential_id, public_key, counter FROM user_passkeys WHERE credential_id = $1 FOR UPDATE',
    [id],
  );
  const row = rows[0];
  if (!row) return null;
  const webauthn = await library();
  const { verified, authenticationInfo } = await webauthn
    .verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: asked.value,
      expectedOrigin: place.origins,
      expectedRPID: place.host,
      requireUserVerification: true,
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(row.public_key),
        counter: row.counter,
      },
    })
    .catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || !authenticationInfo) return null;
  await tx.query('UPDATE user_passkeys SET counter = $2, used_at = $3 WHERE id = $1', [
    row.id,
    authenticationInfo.newCounter,
    now,
  ]);
  return row.user_id;
}

export type ListedPasskey = { id: string; name: string; created_at: Date; used_at: Date | null };

/** The passkeys of a user, the newest first. */
export async function passkeysOf(reader: Reader, userId: UserId): Promise<ListedPasskey[]> {
  const { rows } = await reader.query<ListedPasskey>(
    'SELECT id, name, created_at, used_at FROM user_passkeys WHERE user_id = $1 ORDER BY created_at DESC, id DESC',
    [userId],
  );
  return rows;
}

/** Removes a passkey of a user, unless nothing else signs them in; false: it stays, or there is none with this id. */
export async function removePasskey(tx: Tx, userId: UserId, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ password: boolean }>(
    'SELECT password_hash IS NOT NULL AS password FROM users WHERE id = $1 FOR UPDATE',
    [userId],
  );
  const { rowCount } = await tx.query(
    `DELETE FROM user_passkeys WHERE user_id = $1 AND id = $2
       AND ($3 OR EXISTS (SELECT FROM user_passkeys p WHERE p.user_id = $1 AND p.id <> $2))`,
    [userId, id, rows[0]?.password ?? false],
  );
  return rowCount === 1;
}
