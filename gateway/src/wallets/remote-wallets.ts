import { refuse } from '../kit/errors.ts';
import { Agent, request } from '../kit/net/undici.ts';
import type { Party } from '../ledger/ledger.ts';
import { walletErrors } from './errors.ts';

/** Money in wallets of the other system; below zero, what that owes this installation. */
export const walletsOutside: Party = { kind: 'external', owner: 'wallets' };

/** A credit as the other system is asked for it; the id makes it one however often it is asked. */
export type RemoteCredit = {
  id: string;
  username: string;
  asset: string;
  /** A decimal string in the asset. */
  amount: string;
  mode: 'test' | 'live';
};

/** A payment that a user is to make there with one of the choices; the id makes it one however often it is asked. */
export type RemoteAuthorization = {
  id: string;
  username: string;
  password: string;
  mode: 'test' | 'live';
  /** The reference of the payment, and who is paid. */
  payment: string;
  merchant: string;
  /** The same amount in each asset that is taken, as a decimal string; the preferred one first. */
  choices: { asset: string; amount: string }[];
};

/** What is certain after a call; `unknown` covers every answer that never came or made no sense. */
export type CreditOutcome = 'applied' | 'user_not_found' | 'not_sent' | 'unknown';
type CancelOutcome = 'cancelled' | 'irreversible' | 'unknown';
type AuthorizeOutcome = { is: 'authorized'; asset: string } | { is: Refused | 'waiting' | 'unknown' };
type CaptureOutcome = 'captured' | 'voided' | 'unknown';

const refused = ['wrong_credentials', 'insufficient_balance', 'refused'] as const;
export type Refused = (typeof refused)[number];

/**
 * Another system that holds the users' wallets, spoken to by HTTP (docs/wallet-backend.md):
 * `GET /users/{username}`, `PUT /credits/{id}`, `POST /credits/{id}/cancel`; `PUT /authorizations/{id}`, `GET` the same,
 * `POST /authorizations/{id}/capture` and `/void`.
 */
export type RemoteWallets = {
  /** Throws `backend_unreachable` when there is no certain answer. */
  hasUser(username: string): Promise<boolean>;
  credit(credit: RemoteCredit): Promise<CreditOutcome>;
  /** Takes a credit back, or makes sure that it will never be applied. */
  cancel(id: string): Promise<CancelOutcome>;
  /** Has the amount set aside in a user's wallet. `waiting`: the user is to approve it there first. */
  authorize(authorization: RemoteAuthorization): Promise<AuthorizeOutcome | { is: 'not_sent' }>;
  /** What became of one that waits. */
  authorization(id: string): Promise<AuthorizeOutcome>;
  /** Takes what was set aside; `voided`: it was released instead, and nothing was taken. */
  capture(id: string): Promise<CaptureOutcome>;
  /** Releases what was set aside, or makes sure that it never will be. */
  void(id: string): Promise<'voided' | 'unknown'>;
  close(): Promise<void>;
};

const notSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const maxAnswerBytes = 64 * 1024;

export function createRemoteWallets(options: {
  url: string;
  token: string;
  timeoutMs?: number;
}): RemoteWallets {
  const { url, token, timeoutMs = 5_000 } = options;
  const agent = new Agent({ connections: 32, maxResponseSize: maxAnswerBytes });
  const base = url.replace(/\/$/, '');

  async function call(method: 'GET' | 'PUT' | 'POST', path: string, body?: object) {
    const response = await request(base + path, {
      dispatcher: agent,
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.body.text();
    return { status: response.statusCode, ...contentOf(text) };
  }

  return {
    async hasUser(username) {
      const found = await call('GET', `/users/${encodeURIComponent(username)}`).catch(() => null);
      if (found?.status === 200) return true;
      if (found?.status === 404) return false;
      throw refuse(walletErrors.backend_unreachable);
    },
    async credit({ id, ...body }) {
      try {
        const { status, answer } = await call('PUT', `/credits/${id}`, body);
        if (status === 200 && answer === 'applied') return 'applied';
        return status === 404 && answer === 'user_not_found' ? 'user_not_found' : 'unknown';
      } catch (error) {
        return wasNotSent(error) ? 'not_sent' : 'unknown';
      }
    },
    async cancel(id) {
      const answer = await call('POST', `/credits/${id}/cancel`).catch(() => null);
      if (answer?.status === 200 && answer.answer === 'cancelled') return 'cancelled';
      return answer?.status === 409 && answer.answer === 'irreversible' ? 'irreversible' : 'unknown';
    },
    async authorize({ id, ...body }) {
      try {
        return authorizedBy(await call('PUT', `/authorizations/${id}`, body));
      } catch (error) {
        return { is: wasNotSent(error) ? 'not_sent' : 'unknown' };
      }
    },
    async authorization(id) {
      const found = await call('GET', `/authorizations/${id}`).catch(() => null);
      return found ? authorizedBy(found) : { is: 'unknown' };
    },
    async capture(id) {
      const found = await call('POST', `/authorizations/${id}/capture`).catch(() => null);
      if (found?.status === 200 && found.answer === 'captured') return 'captured';
      return found?.status === 409 && found.answer === 'voided' ? 'voided' : 'unknown';
    },
    async void(id) {
      const found = await call('POST', `/authorizations/${id}/void`).catch(() => null);
      return found?.status === 200 && found.answer === 'voided' ? 'voided' : 'unknown';
    },
    close: () => agent.close(),
  };
}

type Content = { answer?: unknown; asset?: unknown };

function authorizedBy({ status, answer, asset }: Content & { status: number }): AuthorizeOutcome {
  if (status === 200 && answer === 'authorized' && typeof asset === 'string') return { is: answer, asset };
  if (status === 202 && answer === 'waiting') return { is: answer };
  const why = status === 403 ? refused.find((each) => each === answer) : undefined;
  return { is: why ?? 'unknown' };
}

function wasNotSent(error: unknown): boolean {
  return notSent.has((error as { code?: string }).code ?? '');
}

function contentOf(text: string): Content {
  try {
    const { status, asset } = JSON.parse(text) as { status?: unknown; asset?: unknown };
    return { answer: status, asset };
  } catch {
    return {};
  }
}
