import { hash, randomInt } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import type { AccountId } from '../accounts/accounts.ts';

/** What the first operator sets up, in the order in which it is shown. */
export const setupSteps = [
  'account',
  'address',
  'mail',
  'master_key',
  'chains',
  'treasury',
  'rates',
  'backups',
] as const;
export type SetupStep = (typeof setupSteps)[number];

export type StepRow = { step: SetupStep; done_at: Date | null; shown_at: Date | null };

const codeSeconds = 30 * 60;
const mostTries = 5;

/** Lists every step as open, but for the account that was just made. */
export async function listSteps(tx: Tx, by: AccountId, now: Date): Promise<void> {
  await tx.query('INSERT INTO setup_steps (step) SELECT unnest($1::text[])', [[...setupSteps]]);
  await finishStep(tx, 'account', { by, now });
}

/** The steps in their order; none where no link began the installation. */
export async function readSteps(reader: Reader): Promise<StepRow[]> {
  const { rows } = await reader.query<StepRow>('SELECT step, done_at, shown_at FROM setup_steps');
  return setupSteps.flatMap((name) => rows.filter(({ step }) => step === name));
}

/** Whether a step is listed, and this call is the one that finishes it. */
export async function finishStep(
  tx: Tx,
  step: SetupStep,
  { by, now }: { by: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'UPDATE setup_steps SET done_at = $2, done_by = $3 WHERE step = $1 AND done_at IS NULL',
    [step, now, by],
  );
  return rowCount === 1;
}

/**
 * Notes that the master key is shown now. False: it was shown before, somebody has shown to have a copy, or this is not the
 * person who set the installation up.
 */
export async function noteKeyShown(tx: Tx, by: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE setup_steps SET shown_at = $2
     WHERE step = 'master_key' AND shown_at IS NULL AND done_at IS NULL
       AND EXISTS (SELECT FROM setup_steps WHERE step = 'account' AND done_by = $1)`,
    [by, now],
  );
  return rowCount === 1;
}

// Six digits can be guessed from their hash: who reads the database learns a code that opens nothing.
const codeHash = (code: string): string => hash('sha256', code, 'base64url');

/** Makes the code of a test mail, six digits; the code before it ends. Throws `not_found` where no step waits for it. */
export async function makeMailCode(tx: Tx, now: Date): Promise<string> {
  const code = `${randomInt(1_000_000)}`.padStart(6, '0');
  const { rowCount } = await tx.query(
    `UPDATE setup_steps SET code_hash = $1, code_until = $2, code_tries = 0 WHERE step = 'mail'`,
    [codeHash(code), after(now, codeSeconds)],
  );
  if (rowCount === 0) throw refuse(kitErrors.not_found);
  return code;
}

/** Whether this is the code of the newest test mail. After five tries none is. */
export async function isMailCode(tx: Tx, code: string, now: Date): Promise<boolean> {
  const tried = await tx.query<{ is_right: boolean }>(
    `UPDATE setup_steps SET code_tries = code_tries + 1 WHERE step = 'mail'
     RETURNING COALESCE(code_hash = $1 AND code_until > $2 AND code_tries <= $3, false) AS is_right`,
    [codeHash(code.replace(/\s/g, '')), now, mostTries],
  );
  return tried.rowCount === 1 && oneRow(tried, 'step of mail').is_right;
}
