import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atFileEnd } from '../../../test/suite/endings.ts';
import { openConsole } from '../../../test/support/console.ts';
import { testFolder } from '../../../test/support/data-dir.ts';
import { testMasterKey } from '../../../test/support/database.ts';
import { outbox } from '../../../test/support/mailbox.ts';
import { startApp } from '../../../test/support/running.ts';
import type { AccountId } from '../../identity/accounts/accounts.ts';
import { listSteps } from '../../identity/setup/steps.ts';
import { transaction } from '../../kit/db/db.ts';
import { openSeal } from '../master-key.ts';
import type { AddressSeen, EndpointTried, Setup, ShownMasterKey } from './answers.ts';

const keyText = testMasterKey.toString('hex');
const file = join(await testFolder(), 'master.key');
await writeFile(file, `${keyText}\n`, { mode: 0o600 });
const env = { MASTER_KEY_FILE: file, SMTP_URL: 'smtp://user:hidden@127.0.0.1:1', BACKUP_RECIPIENT: '' };
const app = await startApp({ env });
await openSeal(app.db, file);
const people = await openConsole(app);
const operator = await people.as('operator');
await transaction(app.db, (tx) => listSteps(tx, people.accountId('operator') as AccountId, new Date()));

const root = '/console/operator/setup';
const setup = async () => (await operator<Setup>('GET', root)).body.data;
const open = async () =>
  (await setup()).steps.filter(({ done_at }) => done_at === null).map(({ step }) => step);

test('steps are listed until each is done, with what sets them and without its secrets', async () => {
  const first = await setup();
  expect(first).toMatchObject({ open: 7, master_key: { place: file, is_file: true, shown_at: null } });
  expect(first.steps[0]).toMatchObject({ step: 'account', done_at: expect.any(String) });
  expect(first.steps.find(({ step }) => step === 'mail')?.settings).toContainEqual({
    ...{ name: 'SMTP_URL', value: '127.0.0.1:1' },
    from: null,
  });
  expect(JSON.stringify(first)).not.toContain('hidden');
  const waiting = await operator<{ setup_steps: number }>('GET', '/console/operator/attention');
  expect(waiting.body.data.setup_steps).toBe(7);
  for (const step of ['chains', 'treasury', 'rates', 'backups']) {
    expect((await operator('POST', `${root}/${step}/done`)).status).toBe(200);
  }
  // What the gateway can see for itself is not done by a word.
  for (const step of ['account', 'address', 'mail', 'master_key', 'other']) {
    expect((await operator('POST', `${root}/${step}/done`)).status).toBe(404);
  }
  expect(await open()).toEqual(['address', 'mail', 'master_key']);
  expect((await (await people.as('owner'))('GET', root)).status).toBe(403);
});

test('the address is done when a browser comes by it and the gateway sees it so', async () => {
  const see = async (origin: string, headers = {}) =>
    (await operator<AddressSeen>('POST', `${root}/address`, { body: { origin }, headers })).body.data;
  expect((await see('https://elsewhere.example')).faults).toEqual(['other_address']);
  expect((await see(app.baseUrl, { 'x-forwarded-for': '203.0.113.9' })).faults).toEqual(['proxy_untrusted']);
  expect(await open()).toContain('address');
  expect(await see(app.baseUrl)).toEqual({
    ...{ scheme: 'http', host: new URL(app.baseUrl).host, client: '127.0.0.1' },
    faults: [],
  });
  expect(await open()).not.toContain('address');
});

test('mail is done by the code of the newest mail, which five tries end', async () => {
  const send = async () => {
    expect((await operator('POST', `${root}/mail`)).status).toBe(200);
    const mails = (await outbox(app.db)).filter(({ subject }) => subject.startsWith('Florin: your code'));
    return /\d{6}/.exec(mails.at(-1)?.subject ?? '')?.[0] ?? '';
  };
  const prove = async (code: string) =>
    (await operator('POST', `${root}/mail/code`, { body: { code } })).status;
  const first = await send();
  const wrong = first === '000000' ? '000001' : '000000';
  for (let tries = 0; tries < 5; tries += 1) expect(await prove(wrong)).toBe(403);
  expect(await prove(first)).toBe(403);
  const second = await send();
  await app.db.query('UPDATE setup_steps SET code_until = now() WHERE code_until IS NOT NULL');
  expect(await prove(second)).toBe(403);
  const third = await send();
  expect(await prove(`${third.slice(0, 3)} ${third.slice(3)}`)).toBe(200);
  expect(await open()).not.toContain('mail');
});

test('the master key is shown once, to who set the installation up, and is kept when it is typed', async () => {
  const show = () => operator<ShownMasterKey>('POST', `${root}/master-key/show`);
  const prove = async (begins: string) =>
    (await operator('POST', `${root}/master-key/kept`, { body: { begins } })).status;
  const mine = people.accountId('operator');
  await app.db.query(`UPDATE setup_steps SET done_by = NULL WHERE step = 'account'`);
  expect((await show()).status).toBe(403);
  await app.db.query(`UPDATE setup_steps SET done_by = $1 WHERE step = 'account'`, [mine]);
  const shown = await Promise.all([show(), show()]);
  expect(shown.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  expect(shown.find(({ status }) => status === 200)?.body.data.key).toBe(keyText);
  expect((await show()).status).toBe(403);
  const { rows } = await app.db.query(`SELECT 1 FROM audit_log WHERE action = 'was shown the master key'`);
  expect(rows).toHaveLength(1);
  expect(await prove('07070708')).toBe(400);
  expect(await prove(' 07070707')).toBe(200);
  expect(await open()).not.toContain('master_key');
});

test('an endpoint that is not configured is asked only where everybody may ask', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  atFileEnd(async () => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const behind = await startApp({ env: { ...env, TRUST_PROXY: '1' } });
  const theirs = await (await openConsole(behind)).as('operator');
  const refused = await theirs<EndpointTried>('POST', `${root}/try-endpoint`, { body: { url } });
  expect(refused.body.data.faults.length).toBeGreaterThan(0);
  expect(asked).toBe(0);
  const port = await theirs('POST', `${root}/try-endpoint`, { body: { url: 'http://203.0.113.9:22/' } });
  expect(port.status).toBe(400);
  const seen = await theirs<AddressSeen>('POST', `${root}/address`, { body: { origin: behind.baseUrl } });
  expect(seen.body.data.faults).toEqual(['proxy_silent']);
  // Where only this machine reaches the gateway, its other programs are no secret.
  await operator('POST', `${root}/try-endpoint`, { body: { url } });
  expect(asked).toBeGreaterThan(0);
});
