import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';

/** What is left to do after the first operator was made, in the order in which it is shown. */
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

/** Steps that are done when a person says so; the others when the gateway has seen it. */
export const saidSteps = ['chains', 'treasury', 'rates', 'backups'] as const;

export const isSaidStep = (text: string): text is (typeof saidSteps)[number] =>
  (saidSteps as readonly string[]).includes(text);

export type StepRow = { step: SetupStep; done_at: Date | null; shown_at: Date | null };

/** Lists every step as open; those that are listed stay as they are. */
export async function listSteps(tx: Tx): Promise<void> {
  await tx.query('INSERT INTO setup_steps (step) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [
    [...setupSteps],
  ]);
}

/** The steps in their order; empty where the installation was never set up by a link. */
export async function readSteps(reader: Reader): Promise<StepRow[]> {
  const { rows } = await reader.query<StepRow>('SELECT step, done_at, shown_at FROM setup_steps');
  return setupSteps.flatMap((name) => rows.filter(({ step }) => step === name));
}

/** Marks a step as done; false: it was done before. Throws `not_found` where it is not listed. */
export async function finishStep(
  tx: Tx,
  step: SetupStep,
  { by, now }: { by: string; now: Date },
): Promise<boolean> {
  const { rows } = await tx.query<{ done_at: Date | null }>(
    'SELECT done_at FROM setup_steps WHERE step = $1 FOR UPDATE',
    [step],
  );
  const [row] = rows;
  if (!row) throw refuse(kitErrors.not_found);
  if (row.done_at) return false;
  await tx.query('UPDATE setup_steps SET done_at = $2, done_by = $3 WHERE step = $1', [step, now, by]);
  return true;
}

/** Notes that the secret of a step is shown now; false: it was shown before. Throws `not_found` where it is not listed. */
export async function noteShown(tx: Tx, step: SetupStep, now: Date): Promise<boolean> {
  const { rows } = await tx.query<{ shown_at: Date | null }>(
    'SELECT shown_at FROM setup_steps WHERE step = $1 FOR UPDATE',
    [step],
  );
  const [row] = rows;
  if (!row) throw refuse(kitErrors.not_found);
  if (row.shown_at) return false;
  await tx.query('UPDATE setup_steps SET shown_at = $2 WHERE step = $1', [step, now]);
  return true;
}
