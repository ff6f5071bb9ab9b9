import { once } from 'node:events';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../test/support/data-dir.ts';
import { assertFree, openDataDir } from './places.ts';

async function folder(): Promise<string> {
  const path = await makeDataDir();
  onTestFinished(() => removeDataDir(path));
  return path;
}

test('a data directory is made with all that leads there, for its user alone', async () => {
  const path = join(await folder(), 'a', 'b');
  await openDataDir(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await openDataDir(path);
});

test('a file in its place, or on the way to it, is named', async () => {
  const file = join(await folder(), 'file');
  await writeFile(file, '');
  const sentence = (path: string) =>
    `DATA_DIR ${path} cannot be used: ${file} is not a directory. Set DATA_DIR to a directory of this user.`;
  await expect(openDataDir(file)).rejects.toThrow(sentence(file));
  await expect(openDataDir(join(file, 'below'))).rejects.toThrow(sentence(join(file, 'below')));
});

test.runIf(process.platform === 'linux')('a place where nothing can be made is refused at once', async () => {
  await expect(openDataDir('/proc/florin/data')).rejects.toThrow('no directory can be made there');
});

test.skipIf(process.getuid?.() === 0)('a directory of somebody else is refused', async () => {
  const path = join(await folder(), 'closed');
  await mkdir(path);
  await chmod(path, 0o500);
  await expect(openDataDir(path)).rejects.toThrow('this user may not write there');
});

test('a port that is taken is named by its setting', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await expect(assertFree({ setting: 'SHOP_PORT', host: '127.0.0.1', port })).rejects.toThrow(
    `SHOP_PORT ${port} is in use by another program. End that program, or set SHOP_PORT to a free port.`,
  );
  await expect(assertFree({ setting: 'PORT', host: '192.0.2.1', port })).rejects.toThrow(
    '192.0.2.1 is no address of this machine',
  );
});
