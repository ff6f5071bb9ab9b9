import { commandActor, recordChange } from '../../identity/audit/audit-log.ts';
import { systemClock } from '../../kit/clock.ts';
import { isUniqueViolation, type Tx, transaction } from '../../kit/db/db.ts';
import { randomBase62 } from '../../kit/ids.ts';
import { givePassword } from '../../wallets/accounts/changes.ts';
import { resetUserFactors } from '../../wallets/accounts/factors.ts';
import { makeInvitation } from '../../wallets/accounts/sign-up.ts';
import { createUser, findUserIds, type UserId } from '../../wallets/users.ts';
import { withDatabase } from '../with-database.ts';

const passwordLength = 16;

/** Makes a user with a wallet and prints the password, which is shown only now. Returns the exit code. */
export async function makeUser(env: NodeJS.ProcessEnv, username: string): Promise<number> {
  const password = randomBase62(passwordLength);
  await withDatabase(env, (db) =>
    transaction(db, (tx) => createUser(tx, { username, password, isGiven: true }, systemClock())),
  ).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new Error(`there is a user ${username} already`) : error;
  });
  process.stdout.write(`${JSON.stringify({ username, password }, null, 2)}\n`);
  return 0;
}

/** Makes an invitation to sign up for a wallet and prints its code, which is shown only now. Returns the exit code. */
export async function inviteUser(env: NodeJS.ProcessEnv): Promise<number> {
  const { code, until } = await withDatabase(env, (db) => makeInvitation(db, systemClock()));
  process.stdout.write(`${JSON.stringify({ invitation: code, until }, null, 2)}\n`);
  return 0;
}

/** Removes a user's second factors: the user signs in by the password and sets new ones up. Returns the exit code. */
export async function resetFactorsOf(env: NodeJS.ProcessEnv, username: string): Promise<number> {
  await withDatabase(env, (db) => transaction(db, (tx) => reset(tx, username)));
  process.stdout.write(`${username} has no second factor now, and is signed out everywhere\n`);
  return 0;
}

/** Gives a user another password and prints it, which is shown only now. Returns the exit code. */
export async function resetPasswordOf(env: NodeJS.ProcessEnv, username: string): Promise<number> {
  const password = randomBase62(passwordLength);
  await withDatabase(env, (db) =>
    transaction(db, async (tx) => {
      const id = await userOf(tx, username);
      await givePassword(tx, id, password);
      const change = { action: 'reset the password', subject: { kind: 'user', id } };
      await recordChange(tx, commandActor, change, systemClock());
    }),
  );
  process.stdout.write(`${JSON.stringify({ username, password }, null, 2)}\n`);
  return 0;
}

async function userOf(tx: Tx, username: string): Promise<UserId> {
  const id = (await findUserIds(tx, [username])).get(username);
  if (!id) throw new Error(`there is no user ${username}`);
  return id;
}

async function reset(tx: Tx, username: string): Promise<void> {
  const id = await userOf(tx, username);
  const passkeys = await resetUserFactors(tx, id);
  if (passkeys === null) throw new Error(`${username} has no password, and could not sign in any more`);
  const subject = { kind: 'user', id };
  const change = { action: 'reset the second factors', subject, before: { passkeys } };
  await recordChange(tx, commandActor, change, systemClock());
}
