import { execFile } from 'node:child_process';
import { lchown, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../db/system-errors.ts';

/** A user of the system. */
export type Owner = { uid: number; gid: number };

/** The system user as whom a gateway of root runs its server, and the one that every system has. */
const ownUser = 'florin';
export const sharedUser = 'nobody';

/** How system users are found and made; tests have ways of their own. */
export type System = {
  /** The lines of /etc/passwd. */
  users(): Promise<string>;
  run(command: string, args: readonly string[]): Promise<unknown>;
};

const thisSystem: System = {
  users: () => readFile('/etc/passwd', 'utf8'),
  run: (command, args) => promisify(execFile)(command, args),
};

// The second is that of BusyBox.
const makers: [command: string, ...args: string[]][] = [
  [
    'useradd',
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/var/lib/florin',
    '--shell',
    '/usr/sbin/nologin',
  ],
  ['adduser', '-S', '-D', '-H', '-h', '/var/lib/florin', '-s', '/sbin/nologin'],
];

/** The user that a server runs as, with a warning where other programs may run as that user too. */
export type ServerUser = Owner & { warning: string | null };

/**
 * The user `florin`, which is made and logged where there is none. Where it cannot be made, as in a read-only container, it
 * is `nobody`. Throws where that does not exist either.
 */
export async function serverUser(log: (line: string) => void, system = thisSystem): Promise<ServerUser> {
  const found = await find(ownUser, system);
  if (found) return { ...found, warning: null };
  let why = '';
  for (const [command, ...args] of makers) {
    try {
      await system.run(command, [...args, ownUser]);
    } catch (error) {
      // Another process may have made it at the same moment.
      const { stderr, message } = error as { stderr?: string; message: string };
      if (codeOf(error) !== 'ENOENT') why ||= (stderr || message).trim();
    }
    const made = await find(ownUser, system);
    if (made) {
      log(`Made the system user "${ownUser}", as whom PostgreSQL runs where Florin is started as root.`);
      return { ...made, warning: null };
    }
  }
  const reason = why || 'this system has neither useradd nor adduser';
  const nobody = await find(sharedUser, system);
  if (!nobody) {
    throw new Error(
      `PostgreSQL refuses to run as root, and the system user "${ownUser}" cannot be made (${reason}). ` +
        'Make it, start Florin as another user, or set DATABASE_URL.',
    );
  }
  const warning =
    `PostgreSQL runs as "${sharedUser}", as other programs of this machine may: the system user "${ownUser}" cannot be ` +
    `made (${reason}). Make it, or start Florin as a user of its own.`;
  return { ...nobody, warning };
}

async function find(name: string, system: System): Promise<Owner | undefined> {
  const lines = (await system.users()).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] = lines.find((fields) => fields[0] === name) ?? [];
  if (uid === undefined || gid === undefined) return undefined;
  return { uid: Number.parseInt(uid, 10), gid: Number.parseInt(gid, 10) };
}

/** Gives a folder and its content to a user. Until it is done only root can enter it, also after a kill in between. */
export async function giveTo(folder: string, owner: Owner): Promise<void> {
  await lchown(folder, 0, 0);
  await giveContents(folder, owner);
  await lchown(folder, owner.uid, owner.gid);
}

async function giveContents(folder: string, { uid, gid }: Owner): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveContents(path, { uid, gid });
    await lchown(path, uid, gid);
  }
}
