import { Agent, request } from 'undici';
import { refuse } from '../kit/errors.ts';
import { walletErrors } from './errors.ts';

/** A credit as the other system is asked for it; the id makes it one however often it is asked. */
export type RemoteCredit = {
  id: string;
  username: string;
  asset: string;
  /** A decimal string in the asset. */
  amount: string;
  mode: 'test' | 'live';
};

/** What is certain after a call; `unknown` covers every answer that never came or made no sense. */
export type CreditOutcome = 'applied' | 'user_not_found' | 'not_sent' | 'unknown';
export type CancelOutcome = 'cancelled' | 'irreversible' | 'unknown';

/**
 * Another system that holds the users' wallets, spoken to by HTTP (docs/wallet-backend.md):
 * `GET /users/{username}`, `PUT /credits/{id}`, `POST /credits/{id}/cancel`.
 */
export type RemoteWallets = {
  /** Throws `backend_unreachable` when there is no certain answer. */
  hasUser(username: string): Promise<boolean>;
  credit(credit: RemoteCredit): Promise<CreditOutcome>;
  /** Takes a credit back, or makes sure that it will never be applied. */
  cancel(id: string): Promise<CancelOutcome>;
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
    return { status: response.statusCode, answer: statusIn(text) };
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
        return notSent.has((error as { code?: string }).code ?? '') ? 'not_sent' : 'unknown';
      }
    },
    async cancel(id) {
      const answer = await call('POST', `/credits/${id}/cancel`).catch(() => null);
      if (answer?.status === 200 && answer.answer === 'cancelled') return 'cancelled';
      return answer?.status === 409 && answer.answer === 'irreversible' ? 'irreversible' : 'unknown';
    },
    close: () => agent.close(),
  };
}

function statusIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { status?: unknown }).status;
  } catch {
    return undefined;
  }
}
