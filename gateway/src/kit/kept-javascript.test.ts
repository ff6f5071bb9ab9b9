import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../../test/support/data-dir.ts';

const hook = pathToFileURL(join(import.meta.dirname, 'kept-javascript.mjs')).href;
const root = join(import.meta.dirname, '../../..');

test('a program in TypeScript runs as the JavaScript that was kept of it, and says nothing about that', async () => {
  const folder = await makeDataDir();
  onTestFinished(() => removeDataDir(folder));
  const program = join(folder, 'program.ts');
  const source = `const from: string = '${folder}';\nconsole.log('made', from, import.meta.dirname);\n`;
  await writeFile(program, source);
  const name = createHash('sha256').update(source).digest('hex');
  const kept = join(root, 'node_modules/.cache/florin/javascript', process.version, name);
  onTestFinished(() => rm(kept, { force: true }));
  const run = async () => await promisify(execFile)(process.execPath, ['--import', hook, program]);

  expect(await run()).toEqual({ stdout: `made ${folder} ${folder}\n`, stderr: '' });
  await writeFile(kept, (await readFile(kept, 'utf8')).replace('made', 'kept'));
  expect(await run()).toEqual({ stdout: `kept ${folder} ${folder}\n`, stderr: '' });
  await writeFile(program, source.replace('made', 'changed'));
  onTestFinished(async () => {
    const changed = createHash('sha256').update(source.replace('made', 'changed')).digest('hex');
    await rm(join(kept, '..', changed), { force: true });
  });
  expect((await run()).stdout).toBe(`changed ${folder} ${folder}\n`);
});

test('a file beside a program is found wherever it lies, and one that is missing is named', async () => {
  const folder = await makeDataDir();
  onTestFinished(() => removeDataDir(folder));
  const { name } = parse(folder);
  await mkdir(join(folder, 'in a folder'));
  await writeFile(join(folder, 'program.mjs'), "import './in%20a%20folder/first.mjs';\n");
  await writeFile(join(folder, 'in a folder/first.mjs'), `import '../../${name}/second.mjs';\n`);
  await writeFile(join(folder, 'second.mjs'), "import './missing.ts';\n");
  const run = promisify(execFile)(process.execPath, ['--import', hook, join(folder, 'program.mjs')]);
  await expect(run).rejects.toThrow(join(folder, 'missing.ts'));
});
