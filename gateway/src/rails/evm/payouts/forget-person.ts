import type { ForgetPerson } from '../../../identity/closing/close-account.ts';

/** Takes the address of a person out of the exports that they made. */
export const forgetExporter: ForgetPerson = async (tx, { email, by }) => {
  await tx.query('UPDATE evm_exports SET exported_by = $1 WHERE exported_by = $2', [by, email]);
};
