import { readConfig } from '../../src/config/config.ts';
import { askAddresses } from '../../src/operations/doctor/checks/ask-address.ts';
import type { Check, Context } from '../../src/operations/doctor/checks/context.ts';
import type { Finding } from '../../src/operations/doctor/checks/finding.ts';
import { atFileEnd } from '../suite/endings.ts';
import { makeDataDir, removeDataDir } from './data-dir.ts';

/** What a check looks at: an installation with these settings, and without a database if none is given. */
export async function examinedWith(
  env: Record<string, string> = {},
  given: Partial<Context> = {},
): Promise<Context> {
  const dataDir = await makeDataDir();
  atFileEnd(() => removeDataDir(dataDir));
  const config = { ...readConfig({ DATA_DIR: dataDir, ...env }), ...given.config };
  const { db = null } = given;
  const { signal } = new AbortController();
  return {
    ...{ databaseFault: null, now: () => new Date(), signal, limitMs: 10_000 },
    isMigrated: async () => db !== null,
    roleWarning: async () => null,
    answers: async () => (db ? await askAddresses(config, db, signal) : []),
    ...given,
    ...{ config, db },
  };
}

/** The findings of a check by their names, each with its detail. */
export async function findingsOf(
  check: Check,
  context: Context,
): Promise<[finding: string, detail: string | null][]> {
  return (await check(context)).map(({ finding, detail }: Finding) => [finding, detail]);
}
