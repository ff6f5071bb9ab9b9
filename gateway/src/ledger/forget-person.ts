import type { ForgetPerson } from '../identity/closing/close-account.ts';

/** Takes the address of a person out of the audits that they asked for. */
export const forgetAuditor: ForgetPerson = async (tx, { email, by }) => {
  await tx.query('UPDATE ledger_audits SET asked_by = $1 WHERE asked_by = $2', [by, email]);
};
