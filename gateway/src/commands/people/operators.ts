import { createAccount, isAccountEmail } from '../../identity/accounts/accounts.ts';
import { changeOperator } from '../../identity/accounts/operator-accounts.ts';
import { commandActor, recordChange } from '../../identity/audit/audit-log.ts';
import { endSetupLink } from '../../identity/setup/setup-link.ts';
import { after, systemClock } from '../../kit/clock.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { randomBase62 } from '../../kit/ids.ts';
import { withDatabase } from '../with-database.ts';

const passwordLength = 16;
/** How long the password of a new operator counts. Its owner must replace it at the first sign-in. */
const passwordSeconds = 7 * 24 * 3600;

/**
 * Makes a person an operator of this installation: the account with that address, or a new one, whose password is
 * shown only now. Returns the exit code.
 */
export async function addOperator(env: NodeJS.ProcessEnv, email: string): Promise<number> {
  if (!isAccountEmail(email)) throw new Error(`${email} is not an e-mail address`);
  const address = email.toLowerCase();
  const password = await withDatabase(env, (db) => transaction(db, (tx) => makeOperator(tx, address)));
  if (password === null) process.stdout.write(`${address} is an operator\n`);
  else process.stdout.write(`${JSON.stringify({ email: address, password }, null, 2)}\n`);
  return 0;
}

/** Makes the operator. Returns the password of a new account; null when the account existed. */
async function makeOperator(tx: Tx, email: string): Promise<string | null> {
  const now = systemClock();
  await endSetupLink(tx);
  const { rows } = await tx.query<{ id: string }>('SELECT id FROM accounts WHERE email = $1', [email]);
  const known = rows[0]?.id;
  if (known) {
    const { outcome } = await changeOperator(tx, { id: known, isOperator: true, by: null });
    if (outcome === 'changed')
      await recordOperator(tx, { id: known, email }, 'made somebody an operator', now);
    return null;
  }
  const password = randomBase62(passwordLength);
  const [name = email] = email.split('@');
  const account = {
    ...{ email, name, password, isOperator: true, emailVerified: true },
    passwordGivenUntil: after(now, passwordSeconds),
  };
  const id = await createAccount(tx, account, now);
  await recordOperator(tx, { id, email }, 'made an operator', now);
  return password;
}

async function recordOperator(
  tx: Tx,
  { id, email }: { id: string; email: string },
  action: string,
  now: Date,
): Promise<void> {
  const subject = { kind: 'account', id };
  await recordChange(tx, commandActor, { action, subject, after: { email, is_operator: true } }, now);
}
