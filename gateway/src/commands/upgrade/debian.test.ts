import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import { makeUpgradeFolder, upgradePlaces } from '../../operations/upgrading/state.ts';
import { debianMachine } from './debian.ts';

const isAble = process.getuid?.() === 0 && spawnSync('dpkg', ['--version']).status === 0;
const run = promisify(execFile);

/** A small package of that name, with a file that says its version. */
async function packageOf(folder: string, version: string, name = 'florin'): Promise<string> {
  const tree = join(folder, `tree-${name}-${version}`);
  const { stdout: architecture } = await run('dpkg', ['--print-architecture']);
  const files = {
    'DEBIAN/control': `Package: ${name}\nVersion: ${version}\nArchitecture: ${architecture.trim()}\nMaintainer: a\nDescription: b\n more\n`,
    'usr/lib/florin/version': version,
    [`usr/lib/florin/only-${version}`]: '',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true, mode: 0o755 });
    await writeFile(join(tree, path), text);
  }
  await run('chmod', ['-R', 'u=rwX,go=rX', tree]);
  const file = join(folder, `${name}_${version}.deb`);
  await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, file]);
  return file;
}

describe.runIf(isAble)('the packages of a machine with Debian', () => {
  test('are compared, unpacked, kept, installed and put back', async () => {
    const folder = await testFolder();
    const root = join(folder, 'root');
    const dataDir = join(root, 'var/lib/florin');
    for (const path of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/lib/florin'])
      await mkdir(join(root, path), { recursive: true, mode: 0o755 });
    await writeFile(join(root, 'var/lib/dpkg/status'), '');
    await chmod(root, 0o755);
    const [older, before, next, other] = await Promise.all([
      packageOf(folder, '0.4.0'),
      packageOf(folder, '0.5.0'),
      packageOf(folder, '0.6.0'),
      packageOf(folder, '0.6.0', 'another'),
    ]);
    await run('dpkg', [`--root=${root}`, '--force-not-root', '--install', before]);
    const said: string[] = [];
    const machine = debianMachine({
      ...{ dataDir, root, say: (line: string) => void said.push(line) },
      run: () => Promise.reject(new Error('No program is run here')),
    });
    await makeUpgradeFolder(dataDir);
    const installed = () => readFile(join(machine.program, 'version'), 'utf8');

    await expect(machine.take(other)).rejects.toThrow('This is no package of Florin for');
    await expect(machine.take(older)).rejects.toThrow('0.4.0 is older than 0.5.0, which is installed');
    expect(await machine.take(next)).toEqual({ from: '0.5.0', to: '0.6.0' });
    expect(said.at(-1)).toContain('There is no SHA256SUMS beside');
    const sums = join(folder, 'SHA256SUMS');
    await writeFile(sums, `${'0'.repeat(64)}  florin_0.6.0.deb\n`);
    await expect(machine.take(next)).rejects.toThrow('is not the file that');
    const digest = createHash('sha256')
      .update(await readFile(next))
      .digest('hex');
    await writeFile(sums, `${digest}  florin_0.6.0.deb\n`);
    await machine.take(next);
    expect(said.at(-1)).toBe('florin_0.6.0.deb is as SHA256SUMS says.');

    expect(await readFile(join(await machine.unpack(), 'version'), 'utf8')).toBe('0.6.0');
    expect(await installed()).toBe('0.5.0');
    await machine.keep();
    await machine.install('next');
    expect(await installed()).toBe('0.6.0');
    await machine.install('next');
    await machine.install('before');
    expect(await installed()).toBe('0.5.0');
    const { stdout } = await run('dpkg-query', [`--root=${root}`, '--listfiles', 'florin']);
    expect(stdout).toContain('/usr/lib/florin/only-0.5.0\n');
    expect(stdout).not.toContain('0.6.0');
    expect((await run('dpkg-query', [`--root=${root}`, '--status', 'florin'])).stdout).toContain(
      'Version: 0.5.0\n',
    );
    const kept = await run('dpkg-deb', ['--field', upgradePlaces(dataDir).before]);
    expect(kept.stdout).toContain('Description: b\n more');
    expect(kept.stdout).not.toContain('Status:');
  });
});
