import { execFile } from 'node:child_process';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '../ids.ts';
import { type Owner, sharedUser } from './system-user.ts';

/** The roles of an embedded server: its owner, who migrates, and the one that serves, which owns nothing. */
export const roles = { owner: 'florin', app: 'florin_app' };

const map = 'florin';

const hba = `# Written by Florin at each start: a change is lost.
# The system says as which user a client's process runs; pg_ident.conf says which roles that user may have.
local all all peer map=${map}
local replication ${roles.owner} peer map=${map}
host all all all scram-sha-256
`;

/**
 * Writes who may connect to a server that does not run yet: root and the user it runs as, by their processes. Each file
 * is replaced completely, so that a start after a kill in between finds the old or the new one.
 */
export async function writeAccess({
  data,
  owner,
}: {
  data: string;
  owner: Owner | undefined;
}): Promise<void> {
  const users = new Set(['root', userInfo().username, ...(owner ? await namesOf(owner) : [])]);
  const lines = [...users].flatMap((user) =>
    Object.values(roles).map((role) => `${map} "${user.replaceAll('"', '""')}" ${role}\n`),
  );
  const ident = `# Written by Florin at each start: a change is lost.\n${lines.join('')}`;
  // The map first: the rules name it.
  await replace(join(data, 'pg_ident.conf'), ident, owner);
  await replace(join(data, 'pg_hba.conf'), hba, owner);
}

async function replace(path: string, text: string, owner: Owner | undefined): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  const partial = `${path}.${newId()}`;
  try {
    await writeFile(partial, text, { mode: 0o600, flush: true });
    if (owner) await chown(partial, owner.uid, owner.gid);
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}

/** The name of the user that a server runs as. Many programs may run as `nobody`, so it gets no role. */
async function namesOf({ uid }: Owner): Promise<string[]> {
  const { stdout } = await promisify(execFile)('id', ['-un', `${uid}`]).catch(() => ({ stdout: '' }));
  return stdout.trim() === '' || stdout.trim() === sharedUser ? [] : [stdout.trim()];
}
