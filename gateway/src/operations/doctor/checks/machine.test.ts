import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atFileEnd } from '../../../../test/suite/endings.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { examinedWith, findingsOf } from '../../../../test/support/doctor.ts';
import { testClock } from '../../../../test/support/fixtures.ts';
import { makeReport } from '../reports.ts';
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
  const ofRates = { chains: [], rates: { kind: 'sources', sources: [`http://${host}/rates?key=1`] } };
  expect(await look(60, { config: ofRates as never })).toEqual([['wrong', expect.stringContaining(host)]]);
});

test('the clock is compared with the greeting of a mail server, where that has a time', async () => {
  let greeting = '';
  const server = createTcpServer((socket) => void socket.end(greeting)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(async () => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { chains: [], smtpUrl: `smtp://user:secret@${host}` } as never;
  const look = async (text: string) => {
    greeting = `220 mail.example ESMTP ${text}\r\n`;
    return await findingsOf(checkClock, await examinedWith({}, { config }));
  };
  const at = (ms: number) => new Date(ms).toUTCString().replace('GMT', '+0000');
  expect(await look(`ready at ${at(Date.now())}`)).toEqual([['ok', `${host} agrees`]]);
  expect(await look(`Sendmail 8.17.1; ${at(Date.now() + 90_000)}`)).toEqual([
    ['wrong', expect.stringMatching(new RegExp(`^${host} is (89|90|91) s ahead$`))],
  ]);
  expect(await look('Postfix')).toEqual([['alone', null]]);
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

test('a disk that fills is named before it is full', async () => {
  const gibibyte = 2 ** 30;
  const found = (free: number, earlier: { free: number; all?: number; days?: number }) => {
    const { finding, detail } = judgeDisk(
      'x',
      { free: free * gibibyte, all: 100 * gibibyte },
      { days: 10, ...earlier, free: earlier.free * gibibyte, all: (earlier.all ?? 100) * gibibyte },
    );
    return [finding, detail?.split(' are free')[1]];
  };
  expect(found(40, { free: 60 })).toEqual(['filling', ', enough for 20 days at the growth of the last 10']);
  expect(found(40, { free: 41 })).toEqual(['ok', ', enough for 400 days at the growth of the last 10']);
  expect(found(5, { free: 60 })[0]).toBe('low');
  for (const none of [{ free: 40 }, { free: 50, all: 200 }, { free: 40.001 }])
    expect(found(40, none)).toEqual(['ok', '']);
});

test('how a disk fills is told from the reports that are kept', async () => {
  const clock = testClock(new Date());
  const examined = await examinedWith({}, { db, now: clock.now });
  const detail = async () => (await findingsOf(checkDisk, examined))[0]?.[1];
  await makeReport({ db, examined, now: clock.now }, 'loop');
  // As if there had been more room then.
  const { rowCount } = await db.query(
    `UPDATE doctor_reports SET disks = (SELECT jsonb_object_agg(key, value || jsonb_build_object('free',
       (value ->> 'free')::numeric + (value ->> 'all')::numeric)) FROM jsonb_each(disks))`,
  );
  expect(rowCount).toBe(1);
  clock.advance(2 * 86_400);
  expect(await detail()).not.toContain('growth');
  clock.advance(8 * 86_400);
  expect(await detail()).toMatch(/, enough for \d+ days at the growth of the last 10$/);
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
