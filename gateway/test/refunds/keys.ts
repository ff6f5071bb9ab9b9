import type { Action } from '../../src/identity/keys/guards.ts';
import { createRestrictedKey } from '../../src/identity/keys/key-changes.ts';
import { transaction } from '../../src/kit/db/db.ts';
import { testSeal } from '../support/fixtures.ts';
import type { RunningApp } from '../support/running.ts';

/** A test key of the app's integration that may do these things alone; without limits, unless they are given for each asset. */
export async function createKey(
  { db, integrationId }: RunningApp,
  actions: Action[],
  dailyLimits: Record<string, string> | null = null,
): Promise<string> {
  const owner = { integrationId, mode: 'test' } as const;
  const restrictions = { name: actions.join(), actions, addresses: null, dailyLimits };
  const { secret } = await transaction(db, (tx) =>
    createRestrictedKey(tx, testSeal, { ...owner, ...restrictions }, new Date()),
  );
  return secret;
}
