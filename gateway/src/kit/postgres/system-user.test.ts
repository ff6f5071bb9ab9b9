import { lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../test/support/data-dir.ts';
import { giveTo, type System, serverUser } from './system-user.ts';

const root = 'root:x:0:0:root:/root:/bin/sh';
const nobody = 'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin';
const florin = 'florin:x:998:997::/var/lib/florin:/usr/sbin/nologin';

/** A system with these users, whose commands do what they are given for. */
function systemWith(users: string[], commands: Record<string, () => void>) {
  const ran: string[] = [];
  const system: System = {
    users: async () => users.join('\n'),
    async run(command, args) {
      ran.push([command, ...args].join(' '));
      const act = commands[command];
      if (!act) throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' });
      act();
    },
  };
  const lines: string[] = [];
  return { ran, lines, ask: () => serverUser((line) => lines.push(line), system) };
}

test('the user florin is taken where there is one, and nothing is made', async () => {
  const { ask, ran, lines } = systemWith([root, florin, nobody], {});
  expect(await ask()).toEqual({ uid: 998, gid: 997, warning: null });
  expect([ran, lines]).toEqual([[], []]);
});

test.each(['useradd', 'adduser'])('it is made by %s, and the log says so', async (command) => {
  const users = [root, nobody];
  const { ask, lines } = systemWith(users, { [command]: () => users.push(florin) });
  expect(await ask()).toEqual({ uid: 998, gid: 997, warning: null });
  expect(lines).toEqual([expect.stringContaining('Made the system user "florin"')]);
});

test('it is found when another process made it at the same moment', async () => {
  const users = [root, nobody];
  const { ask } = systemWith(users, {
    useradd: () => {
      users.push(florin);
      throw Object.assign(new Error('failed'), { code: 9, stderr: "useradd: user 'florin' already exists" });
    },
  });
  expect(await ask()).toMatchObject({ uid: 998 });
});

test('where it cannot be made it is nobody, with a warning that says why and what to do', async () => {
  const { ask, ran } = systemWith([root, nobody], {
    useradd: () => {
      throw Object.assign(new Error('failed'), { code: 1, stderr: 'useradd: cannot lock /etc/passwd\n' });
    },
  });
  const user = await ask();
  expect(user).toMatchObject({ uid: 65534, gid: 65533 });
  expect(ran.map((line) => line.split(' ')[0])).toEqual(['useradd', 'adduser']);
  expect(user.warning).toMatch(/runs as "nobody".*cannot lock \/etc\/passwd.*Make it/);
});

test('without any user to run as, it says what to do', async () => {
  const { ask } = systemWith([root], {});
  await expect(ask()).rejects.toThrow(/neither useradd nor adduser.*or set DATABASE_URL/);
});

test.runIf(process.getuid?.() === 0)(
  'a folder is given away with all in it, and links are not followed',
  async () => {
    const folder = await makeDataDir();
    const elsewhere = await makeDataDir();
    await mkdir(join(folder, 'data/base'), { recursive: true });
    await writeFile(join(folder, 'data/base/1'), '');
    await symlink(elsewhere, join(folder, 'link'));
    await giveTo(folder, { uid: 12_345, gid: 12_346 });
    for (const path of ['', 'data', 'data/base', 'data/base/1', 'link'])
      expect(await lstat(join(folder, path))).toMatchObject({ uid: 12_345, gid: 12_346 });
    expect((await lstat(elsewhere)).uid).toBe(0);
    await removeDataDir(folder);
    await removeDataDir(elsewhere);
  },
);
