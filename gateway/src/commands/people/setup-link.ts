import { makeSetupLink } from '../../identity/setup/setup-link.ts';
import { systemClock } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { setupAddress } from '../announce.ts';
import { withDatabase } from '../with-database.ts';

/** Prints a new link for the first run; the link before it ends. Returns the exit code. Throws once the installation is in use. */
export async function printSetupLink(env: NodeJS.ProcessEnv): Promise<number> {
  const line = await withDatabase(env, async (db, { baseUrl }) => {
    const link = await transaction(db, (tx) => makeSetupLink(tx, systemClock()));
    return link && `${setupAddress(baseUrl, link)}\nGood until ${link.expiresAt.toISOString()}.\n`;
  });
  if (line === null)
    throw new Error(
      'This installation is in use: an operator signs in at BASE_URL/app/, and florin operators add makes one',
    );
  process.stdout.write(line);
  return 0;
}
