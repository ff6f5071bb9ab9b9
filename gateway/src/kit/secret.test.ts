import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  nameOfSecret,
  openSecretWarning,
  readSecret,
  readSecretBytes,
  readSecretNow,
  type Secret,
  SecretFault,
  secretNamed,
} from './secret.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** A program that runs this JavaScript. `words` makes one unlike the others, which are remembered. */
const program = (script: string, ...words: string[]) => ({
  command: [process.execPath, '-e', script, ...words],
});
const prints = (text: string, ...words: string[]) =>
  program(`process.stdout.write(${JSON.stringify(text)})`, ...words);

async function fileWith(content: string | Buffer): Promise<string> {
  const file = join(directory, `${Math.random()}`);
  await writeFile(file, content, { mode: 0o600 });
  return file;
}

/** What both ways of reading say of a secret that cannot be read. */
async function faultOf(secret: Secret): Promise<string> {
  const fault = await readSecret(secret).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(SecretFault);
  expect(() => readSecretNow(secret, process.env)).toThrow((fault as SecretFault).message);
  return (fault as SecretFault).message;
}

describe('a secret', () => {
  test('is read of a file, a variable or a program, at once or later', async () => {
    vi.stubEnv('A_SECRET', ' hunter2 ');
    for (const secret of [await fileWith('hunter2\n'), { env: 'A_SECRET' }, prints('hunter2\n')]) {
      expect(await readSecret(secret)).toBe('hunter2');
      expect(readSecretNow(secret, process.env)).toBe('hunter2');
    }
    vi.unstubAllEnvs();
  });

  test('of a program is what it printed without the end of its last line, and nothing more is taken away', async () => {
    expect((await readSecretBytes(prints('one\ntwo\r\n'))).toString()).toBe('one\ntwo');
    expect((await readSecretBytes(prints('a\n\n'))).toString()).toBe('a\n');
    expect((await readSecretBytes(prints(' x '))).toString()).toBe(' x ');
    expect((await readSecretBytes(prints(''))).length).toBe(0);
  });

  test('is not read by a shell: no word is taken apart, and nothing is expanded', async () => {
    const words = ['a b', '$HOME', '`id`', '; echo x', '*', "'", '"'];
    const echo = {
      command: [process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...words],
    };
    expect(JSON.parse(await readSecret(echo))).toEqual(words);
  });

  test('of a program is remembered for five minutes, or read anew on request, and a failure is not remembered', async () => {
    const file = join(directory, 'runs');
    await writeFile(file, '');
    const script = `require('fs').appendFileSync(process.argv[1], 'x'); console.log('hunter2')`;
    const counted = program(script, file);
    await Promise.all([readSecret(counted), readSecret(counted)]);
    await readSecret(counted);
    expect(await readFile(file, 'utf8')).toBe('x');
    await readSecretBytes(counted, { isFresh: true });
    expect(await readFile(file, 'utf8')).toBe('xx');
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 300_001);
    await readSecret(counted);
    vi.restoreAllMocks();
    expect(await readFile(file, 'utf8')).toBe('xxx');
    const flag = join(directory, 'flag');
    const late = program(`process.stdout.write(require('fs').readFileSync(process.argv[1]))`, flag);
    await expect(readSecret(late)).rejects.toThrow(SecretFault);
    await writeFile(flag, 'there now');
    expect(await readSecret(late)).toBe('there now');
  });
});

describe('one that cannot be read', () => {
  const leaky = 'hunter2';

  test.each<[string, Secret, string]>([
    ['a file that is not there', '/nowhere/key', 'cannot be read (ENOENT)'],
    ['a variable that is not set', { env: 'NO_SUCH_VARIABLE' }, 'cannot be read: the variable is not set'],
    ['a program that is not there', { command: ['/nowhere/vault', leaky] }, 'could not be started (ENOENT)'],
    [
      'a program that fails, and says why with the secret in it',
      program(`console.log('${leaky}'); console.error('${leaky}'); process.exit(3)`, leaky),
      'cannot be read: the program failed',
    ],
    [
      'a program that prints without end',
      program(`for (let i = 0; i < 2000; i++) console.log('${leaky}'.repeat(100))`),
      'the program printed more than 64 KiB',
    ],
    ['a program that is killed', program(`process.kill(process.pid, 'SIGKILL')`), 'did not end by itself'],
  ])('is named, and nothing of its content: %s', async (_, secret, words) => {
    const fault = await faultOf(secret);
    expect(fault).toContain(words);
    expect(fault).not.toContain(leaky);
  });

  test('takes no longer than its limit, and its program is ended', async () => {
    const reading = readSecretBytes({ command: ['sleep', '3600'] }, { limitMs: 100 });
    await expect(reading).rejects.toThrow('cannot be read: the program did not end by itself in time');
  });
});

test('messages name where a secret is, and never the arguments of a program', async () => {
  const vault = { command: ['/usr/bin/vault', 'kv', 'get', '-token=hunter2'] };
  expect(nameOfSecret(vault)).toBe('the program vault');
  expect(secretNamed('gas key file', vault)).toBe('gas key of the program vault');
  expect(secretNamed('gas key file', { env: 'GAS' })).toBe('gas key of the variable GAS');
  expect(secretNamed('gas key file', '/keys/gas')).toBe('gas key file /keys/gas');
  const file = await fileWith('x');
  expect(await openSecretWarning(file, 'key file')).toBeNull();
  await chmod(file, 0o644);
  expect(await openSecretWarning(file, 'key file')).toBe(
    `Others can read the key file ${file}: chmod 600 it`,
  );
  expect(await openSecretWarning(vault, 'key file')).toBeNull();
});
