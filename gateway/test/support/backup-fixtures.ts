import { join } from 'node:path';
import { seed } from '../../../bench/seed/seed.ts';
import { makeIntegration } from '../../src/commands/integrations.ts';
import { printed } from './commands-fixtures.ts';
import { makeDataDir } from './data-dir.ts';
import { databaseUrl, type TestDatabase, testDatabase } from './database.ts';
import { seedBalance } from './fixtures.ts';

export type Made = { integration_id: string; secret_key: string };

/** An installation on a database of its own, with the settings that commands are given for any database. */
export type Installation = {
  directory: string;
  source: TestDatabase;
  made: Made;
  envOf(database: TestDatabase): Record<string, string>;
};

// Text that each of the formats in between might take for something of its own.
export const oddText = 'tab\t newline\n return\r backslash\\ \\. \\N quote" \'🪙 ‮مرحبا\u0001';

/** An integration with `payments` made-up payments and a balance of more digits than any number holds. */
export async function openInstallation(payments: number): Promise<Installation> {
  const directory = await makeDataDir();
  const source = await testDatabase();
  const envOf = ({ connection }: TestDatabase) => ({
    DATA_DIR: directory,
    DATABASE_URL: databaseUrl(connection),
    MASTER_KEY_FILE: join(directory, 'master.key'),
  });
  const env = envOf(source);
  const made: Made = JSON.parse((await printed(() => makeIntegration(env, oddText))).output);
  await printed(() => seed(env, { payments: `${payments}`, integration: made.integration_id }));
  for (const units of [10_000_000n, 10n ** 59n + 1n]) {
    const owner = made.integration_id;
    await seedBalance(source.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units });
  }
  return { directory, source, made, envOf };
}
