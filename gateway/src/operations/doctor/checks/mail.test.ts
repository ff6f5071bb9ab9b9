import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, test } from 'vitest';
import { atFileEnd } from '../../../../test/suite/endings.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { examinedWith, findingsOf } from '../../../../test/support/doctor.ts';
import { checkMail } from './mail.ts';

const password = 'p@ss word of the mail server';

/** A mail server that takes one user, on an address of this machine. */
async function serve(options: SMTPServerOptions = {}, host = '127.0.0.1'): Promise<number> {
  const server = new SMTPServer({
    ...{ disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
    onAuth: (given, _session, done) =>
      given.password === password
        ? done(null, { user: 'ada' })
        : done(new Error(`No ${given.password} here`)),
    ...options,
  });
  server.on('error', () => {});
  const listener = server.listen(0, host);
  await once(listener, 'listening');
  atFileEnd(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return (listener.address() as AddressInfo).port;
}

const urlOf = (port: number, secret: string, host = '127.0.0.1') =>
  `smtp://ada:${encodeURIComponent(secret)}@${host}:${port}`;

test('a mail server is tried by signing in, and a refusal tells no password', async () => {
  const port = await serve();
  const look = async (secret: string) =>
    await findingsOf(checkMail, await examinedWith({ SMTP_URL: urlOf(port, secret) }));
  expect(await look(password)).toEqual([['ok', `127.0.0.1:${port}`]]);
  const [[finding, detail]] = (await look('another word')) as [[string, string]];
  expect(finding).toBe('refused');
  expect(detail).toContain('No … here');
  expect(detail).not.toContain('another');
});

test('without a server, or where none answers, mails stay', async () => {
  expect(await findingsOf(checkMail, await examinedWith())).toEqual([['none', null]]);
  const dead = await findingsOf(checkMail, await examinedWith({ SMTP_URL: 'smtp://127.0.0.1:9' }));
  expect(dead.map(([finding]) => finding)).toEqual(['unreachable']);
});

const [outer] = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4');

test.skipIf(!outer)('another machine has to encrypt', async () => {
  const host = outer?.address ?? '';
  const port = await serve({}, host);
  const context = await examinedWith({ SMTP_URL: urlOf(port, password, host) });
  expect((await findingsOf(checkMail, context)).map(([finding]) => finding)).toEqual(['no_tls']);
});

test('mails that were given up are counted', async () => {
  const { db } = await testDatabase();
  await db.query(
    `INSERT INTO emails (id, recipient, subject, failed_at) VALUES (gen_random_uuid(), 'a@b.example', 'x', now())`,
  );
  expect(await findingsOf(checkMail, await examinedWith({}, { db }))).toEqual([
    ['none', null],
    ['given_up', '1'],
  ]);
});
