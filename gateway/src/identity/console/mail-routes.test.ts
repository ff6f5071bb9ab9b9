import { beforeEach, expect, test } from 'vitest';
import { openConsole, signIn } from '../../../test/support/console.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { deskOf, type OperatorDesk, operatorDesk, root } from '../../../test/support/operator.ts';
import { startApp } from '../../../test/support/running.ts';
import { type MailKind, mailKinds } from '../mail/kinds.ts';
import { queueMail } from '../mail/mail.ts';

const secret = 'https://florin.example/app/reset-password?token=the-secret';
const kinds = Object.keys(mailKinds) as MailKind[];

/** Whether the operator sees the texts: the list says the same as what opening each mail answers. */
async function shown(desk: OperatorDesk): Promise<string[]> {
  const { items } = (await desk.get('/mails?limit=100')) as unknown as {
    items: { id: string; subject: string; is_hidden: boolean }[];
  };
  expect(JSON.stringify(items)).not.toContain('the-secret');
  const opened = await Promise.all(
    items.map(async ({ id, subject, is_hidden }) => {
      const { status, text } = await desk.call('POST', `${root}/mails/${id}/open`, { body: {} });
      expect({ subject, status }).toEqual({ subject, status: is_hidden ? 404 : 200 });
      expect(text.includes('the-secret')).toBe(status === 200);
      return status === 200 ? [subject] : [];
    }),
  );
  return opened.flat().sort();
}

const notices = kinds.filter((kind) => mailKinds[kind] === 'notice').sort();

async function queueEach(): Promise<void> {
  await app.db.query('DELETE FROM emails');
  for (const kind of kinds) {
    await queueMail(app.db, { kind, to: 'ada@example.com', subject: kind, text: secret });
  }
}

beforeEach(queueEach);
const app = await startApp();
const desk = await operatorDesk(await openConsole(app));

/** Mails that this version cannot place: one of the version before, and one of a later one. */
async function queueUnknown(): Promise<void> {
  for (const kind of [null, 'of a later version', 'constructor']) {
    await queueMail(app.db, { kind: 'test', to: 'ada@example.com', subject: `${kind}`, text: secret });
    await app.db.query('UPDATE emails SET kind = $1 WHERE subject = $2', [kind, `${kind}`]);
  }
}

test('the operator of a demo on this machine reads every kind where no mail server is set', async () => {
  expect(await shown(desk)).toEqual(kinds.toSorted());
});

test('any other operator reads no kind that gives access, and none that this version does not know', async () => {
  await queueUnknown();
  await app.db.query('UPDATE accounts SET is_demo = false, two_factor_enabled = true WHERE is_operator');
  await app.db.query('UPDATE sessions SET has_second_factor = true, factor_at = now()');
  try {
    expect(await shown(desk)).toEqual(notices);
  } finally {
    await app.db.query('UPDATE accounts SET is_demo = true, two_factor_enabled = false WHERE is_operator');
  }
});

test('where a mail server is set, nobody reads a kind that gives access, before it is sent or after', async () => {
  // Nothing listens there: what is queued goes on waiting.
  const [port] = await freePorts(1);
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}` };
  const other = await startApp({ env, database: app, integration: app });
  const call = await signIn(other.baseUrl, 'operator@example.com');
  // Without the mail that tells of the sign-in.
  await queueEach();
  expect(await shown(deskOf(call))).toEqual(notices);
});
