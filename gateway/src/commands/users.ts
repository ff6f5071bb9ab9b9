import { systemClock } from '../kit/clock.ts';
import { isUniqueViolation, transaction } from '../kit/db/db.ts';
import { randomBase62 } from '../kit/ids.ts';
import { makeInvitation } from '../wallets/accounts/sign-up.ts';
import { createUser } from '../wallets/users.ts';
import { withDatabase } from './with-database.ts';

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
