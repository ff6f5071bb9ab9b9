import { readFile } from 'node:fs/promises';

/** The ids of a user of this system. */
export async function idsOf(name: string): Promise<{ uid: number; gid: number }> {
  const users = await readFile('/etc/passwd', 'utf8');
  const [, , uid, gid] =
    users
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':') ?? [];
  if (uid === undefined) throw new Error(`There is no user ${name}`);
  return { uid: Number(uid), gid: Number(gid) };
}
