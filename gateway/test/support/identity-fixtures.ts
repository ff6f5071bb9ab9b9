import { pino } from 'pino';
import type { AccountId, NewAccount } from '../../src/identity/accounts/accounts.ts';
import { mailAskedResets } from '../../src/identity/accounts/asked-resets.ts';
import { createAuth } from '../../src/identity/accounts/auth.ts';
import { createSessionLookup } from '../../src/identity/accounts/sessions.ts';
import { createSecurityLog } from '../../src/identity/audit/security-log.ts';
import { accountRoutes } from '../../src/identity/console/account-routes.ts';
import { authRoutes } from '../../src/identity/console/auth-routes.ts';
import { createConsole } from '../../src/identity/console/console.ts';
import { createGuards } from '../../src/identity/keys/guards.ts';
import { createProposals } from '../../src/identity/proposals/proposals.ts';
import { type Clock, systemClock } from '../../src/kit/clock.ts';
import { type Database, transaction } from '../../src/kit/db/db.ts';
import { openAged } from '../../src/kit/db/standby/aged.ts';
import { createServer } from '../../src/kit/http/http.ts';
import { randomBase62 } from '../../src/kit/ids.ts';
import { atFileEnd } from '../suite/endings.ts';
import { checkAnswers } from './answer-check.ts';
import { addQuickAccount, testSeal } from './fixtures.ts';
import { freePorts } from './free-ports.ts';
import { linkIn, outbox, type ReceivedMail } from './mailbox.ts';

export const goodPassword = 'correct horse battery';

/** A gateway's calls about accounts, on a port of their own. */
export type AccountServer = {
  url: string;
  /** What was logged as a warning or worse. */
  log(): string;
  close(): Promise<void>;
};

export async function startAccountServer(
  db: Database,
  options: { rateLimit?: boolean; baseUrl?: string; now?: Clock } = {},
): Promise<AccountServer> {
  const { rateLimit = false, now = systemClock } = options;
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) });
  const app = createServer({ log, trustProxy: true });
  const auth = createAuth({ db, seal: testSeal, baseUrl: options.baseUrl ?? url, log });
  const guards = createGuards({ findKey: async () => null, now, rateLimit });
  const sessionOf = createSessionLookup({ db, now, isLocal: false }, auth);
  const securityLog = createSecurityLog(db, now);
  const deps = { app, db, guards, auth, sessionOf, securityLog, now };
  authRoutes(deps);
  const proposals = createProposals({ db, baseUrl: url, isLocal: false, now });
  const aged = openAged(deps, null);
  accountRoutes(createConsole({ ...deps, aged, proposals, isOwnOrigin: auth.isOwnOrigin }), deps);
  checkAnswers(app);
  await app.listen({ host: '127.0.0.1', port: port! });
  atFileEnd(() => app.close());
  return { url, log: () => logged.join(''), close: () => app.close() };
}

export type ConsoleAnswer = {
  status: number;
  message: string;
  data: Record<string, unknown> | null;
  error?: string;
  headers: Headers;
};

/** A browser without pages: it keeps cookies, and calls the dashboard's API as the web app does. */
export type Visitor = {
  /** Without the path of a cookie, which is `/console` for all. */
  cookies: Map<string, string>;
  get(path: string): Promise<ConsoleAnswer>;
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ConsoleAnswer>;
};

export function createVisitor(url: string, own: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>();

  async function send(method: string, path: string, body?: object, headers = {}): Promise<ConsoleAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${url}/console${path}`, {
      method,
      headers: {
        cookie,
        ...(method === 'GET' ? {} : { origin: url, 'content-type': 'application/json' }),
        ...own,
        ...headers,
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/Max-Age=0\b/i.test(line)) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const answer = (await response.json()) as Omit<ConsoleAnswer, 'status' | 'headers'>;
    return { ...answer, status: response.status, headers: response.headers };
  }
  return { cookies, send, get: (path) => send('GET', path) };
}

/** Makes an account; its password is `goodPassword`. */
export async function seedAccount(
  db: Database,
  input: Partial<NewAccount> = {},
): Promise<{ id: AccountId; email: string }> {
  const email = input.email ?? `${randomBase62(12).toLowerCase()}@example.com`;
  const account = { name: 'Ada', password: goodPassword, emailVerified: true, ...input, email };
  const id = await transaction(db, (tx) => addQuickAccount(tx, account, new Date()));
  return { id, email };
}

/** A visitor who is signed in with a password. */
export async function signedIn(
  url: string,
  email: string,
  own: Record<string, string> = {},
): Promise<Visitor> {
  const visitor = createVisitor(url, own);
  const answer = await visitor.send('POST', '/auth/sign-in', { email, password: goodPassword });
  if (answer.status !== 200) throw new Error(`Not signed in: ${answer.message}`);
  return visitor;
}

/** Mails to an address that wait in the outbox, oldest first. */
export async function waitingMails(db: Database, to: string): Promise<ReceivedMail[]> {
  // What a loop of the gateway does.
  await mailAskedResets(db, 'http://florin.test');
  const mails = (await outbox(db)).filter(({ recipient }) => recipient === to);
  return mails.map(({ subject, text }) => ({ to: [to], subject, source: text }));
}

/** The token of the last mail to an address that leads to this page. */
export async function mailedToken(db: Database, to: string, page: string): Promise<string> {
  const mail = (await waitingMails(db, to)).filter(({ source }) => source.includes(`/app/${page}`)).at(-1);
  if (!mail) throw new Error(`No mail to ${to} leads to ${page}`);
  return linkIn(mail, page).searchParams.get('token') ?? '';
}

/** Lets an hour and more pass for every session of an account, so that none is fresh. */
export async function ageSessions(db: Database, accountId: string, seconds: number): Promise<void> {
  await db.query(
    `UPDATE sessions SET created_at = created_at - $2 * interval '1 second',
       seen_at = seen_at - $2 * interval '1 second', confirmed_at = confirmed_at - $2 * interval '1 second',
       factor_at = factor_at - $2 * interval '1 second',
       expires_at = expires_at - $2 * interval '1 second'
     WHERE account_id = $1`,
    [accountId, seconds],
  );
}
