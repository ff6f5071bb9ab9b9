import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atFileEnd } from '../../../../test/suite/endings.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { examinedWith, findingsOf } from '../../../../test/support/doctor.ts';
import { checkClock } from './clock.ts';
import { checkDisk, judge as judgeDisk } from './disk.ts';
import { checkFiles } from './files.ts';
import { judge as judgeProcess } from './process.ts';
import { checkSecurityContact } from './security-contact.ts';

// What is found on this machine.

const { db } = await testDatabase();

test('the clock is compared with servers and with the database', async () => {
  const server = createServer((_, answer) => answer.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(async () => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const chains = [{ rpcUrls: [`http://${host}/v1/a-key-of-a-provider`] }] as never;
  const look = async (ahead: number, given: object = {}) => {
    const now = () => new Date(Date.now() + ahead * 1000);
    const config = { chains } as never;
    return await findingsOf(checkClock, await examinedWith({}, { now, config, ...given }));
  };
  expect(await look(0)).toEqual([['ok', `${host} agrees`]]);
  expect(await look(-10)).toEqual([
    ['off', expect.stringMatching(new RegExp(`^${host} is (9|10|11) s ahead$`))],
  ]);
  expect((await look(60))[0]?.[0]).toBe('wrong');
  const ofDatabase = { db, config: { chains: [], database: { kind: 'external' } } as never };
  expect(await look(0, ofDatabase)).toEqual([['ok', 'the database agrees']]);
  expect(await look(20, ofDatabase)).toEqual([['database', 'the database is 20 s behind']]);
  expect(await look(0, { config: { chains: [] } as never })).toEqual([['alone', null]]);
});

test('disks are judged by what is free', async () => {
  const gibibyte = 2 ** 30;
  const found = (free: number, all: number) => judgeDisk('x', { free, all }).finding;
  expect(found(50 * gibibyte, 100 * gibibyte)).toBe('ok');
  expect(found(5 * gibibyte, 100 * gibibyte)).toBe('low');
  expect(found(1.5 * gibibyte, 4 * gibibyte)).toBe('low');
  expect(found(0.2 * gibibyte, 1 * gibibyte)).toBe('full');
  const here = await findingsOf(checkDisk, await examinedWith());
  expect(here[0]?.[1]).toMatch(/GiB are free$/);
  const missing = await examinedWith({ DATA_DIR: '/nowhere/florin' });
  expect((await findingsOf(checkDisk, missing))[0]?.[0]).toBe('not_yet');
});

test('files that others can read are named', async () => {
  const context = await examinedWith({}, { db });
  const { dataDir } = context.config;
  const look = async () => (await findingsOf(checkFiles, context)).map(([finding]) => finding);
  await chmod(dataDir, 0o700);
  expect(await look()).toEqual(['key_missing']);
  expect((await findingsOf(checkFiles, { ...context, db: null }))[0]?.[0]).toBe('not_yet');
  const key = join(dataDir, 'master.key');
  await writeFile(key, 'x', { mode: 0o600 });
  expect(await look()).toEqual(['ok']);
  await chmod(key, 0o640);
  await chmod(dataDir, 0o755);
  expect(await look()).toEqual(['key_open', 'data_open']);
});

test('a process is judged by its version of Node and its limits', () => {
  const good = { node: '26.1.0', files: 65_536, memoryBytes: 2 ** 31 };
  const found = (has: Partial<typeof good>) =>
    judgeProcess({ ...good, ...has }).map(({ finding }) => finding);
  expect(found({})).toEqual(['ok']);
  expect(found({ node: '20.9.0' })).toEqual(['old_node']);
  expect(found({ files: 1_024 })).toEqual(['few_files']);
  expect(found({ memoryBytes: 2 ** 27 })).toEqual(['little_memory']);
});

test('the security contact is named before it ends', async () => {
  const look = async (day: string) => {
    const env = { SECURITY_CONTACT: 'mailto:a@pay.example', SECURITY_EXPIRES: '2027-06-30' };
    const context = await examinedWith(env, { now: () => new Date(day) });
    return (await findingsOf(checkSecurityContact, context))[0]?.[0];
  };
  expect(await look('2026-12-01')).toBe('ok');
  expect(await look('2027-06-10')).toBe('ending');
  expect(await look('2027-07-01')).toBe('ended');
  expect(await findingsOf(checkSecurityContact, await examinedWith())).toEqual([['none', null]]);
});
