import { resetFactors } from '../../identity/accounts/second-factor.ts';
import { commandActor, recordChange } from '../../identity/audit/audit-log.ts';
import { securityLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { systemClock } from '../../kit/clock.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { openSeal } from '../../operations/master-key.ts';
import { withDatabase } from '../with-database.ts';

/** Removes the second factors of an account: its owner signs in by the password and sets a new one up. Returns the exit code. */
export async function resetAccountFactors(env: NodeJS.ProcessEnv, email: string): Promise<number> {
  const address = email.toLowerCase();
  const isKnown = await withDatabase(env, async (db, config) => {
    // The mail to the owner is sealed.
    await openSeal(db, config.masterKey);
    return await transaction(db, (tx) => reset(tx, address));
  });
  if (!isKnown) throw new Error(`there is no account with the address ${address}`);
  process.stdout.write(`${address} has no second factor now, and is signed out everywhere\n`);
  return 0;
}

async function reset(tx: Tx, email: string): Promise<boolean> {
  const had = await resetFactors(tx, email);
  if (!had) return false;
  const change = {
    action: 'reset the second factors',
    subject: { kind: 'account', id: had.id },
    before: { email, two_factor: had.hadApp, passkeys: had.passkeys },
  };
  await recordChange(tx, commandActor, change, systemClock());
  const letter = securityLetter('every second factor was removed', "the gateway's own command line");
  await queueMail(tx, { to: email, ...letter });
  return true;
}
