import { noteServerTime } from '../format/server-clock.ts';
import { loadOfGateway } from '../texts/of-gateway.ts';
import { t } from '../texts/t.ts';
import { ApiError, type FieldFault, isRefusal } from './api-error.ts';
import { confirmIdentity, missingFactor, signedOut } from './listeners.ts';

export type Call = {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Sent as JSON; a call with a body is a POST unless `method` says otherwise. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Sent as Idempotency-Key: the same key never has its effect twice. */
  idempotencyKey?: string | undefined;
  /** The token of the link of the first run. */
  setupToken?: string;
  /** What shows who it is, where the person has just typed it: then no dialog asks for it once more. */
  proof?: { password: string };
};

type Envelope = {
  message?: string;
  data?: unknown;
  error?: string;
  request_id?: string;
  details?: FieldFault[];
};

/**
 * Calls the console API and answers the envelope's `data`.
 *
 * A refusal that asks for a fresh sign-in opens the confirmation dialog, and the call is made once more when the
 * person confirmed. A session that ended leads to the sign-in page, and one without the second factor
 * that its account needs to the page of that.
 * @param path from the root, such as `/console/account`
 * @throws ApiError for every refusal; with status 0 and slug `unreachable` when no answer came
 */
export async function api<T>(path: string, call: Call = {}): Promise<T> {
  try {
    return await once<T>(path, call);
  } catch (error) {
    if (isRefusal(error, 'not_signed_in', 'cookies_refused')) signedOut();
    if (isRefusal(error, 'second_factor_needed', 'second_factor_unshown')) missingFactor();
    if (!isRefusal(error, 'fresh_sign_in') || !(await proved(call.proof))) throw error;
    return await once<T>(path, call);
  }
}

async function proved(proof: Call['proof']): Promise<boolean> {
  if (proof === undefined) return await confirmIdentity();
  await once('/console/account/confirm', { body: proof });
  return true;
}

async function once<T>(path: string, { method, body, signal, idempotencyKey, setupToken }: Call): Promise<T> {
  const response = await send(path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(setupToken === undefined ? {} : { authorization: `Setup ${setupToken}` }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal ?? null,
  });
  noteServerTime(response.headers.get('date'));
  const envelope = await readEnvelope(response);
  if (response.ok) return envelope.data as T;
  await loadOfGateway();
  const { error = 'unknown', message, details, request_id: requestId } = envelope;
  throw new ApiError(response.status, error, message ?? statusWords(response.status), { details, requestId });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(
      0,
      'unreachable',
      t('The gateway cannot be reached. If you changed something, check whether the change was made.'),
    );
  }
}

async function readEnvelope(response: Response): Promise<Envelope> {
  try {
    return (await response.json()) as Envelope;
  } catch {
    return {};
  }
}

function statusWords(status: number): string {
  if (status === 413) return t('That is too large to send.');
  return t('The gateway answered with status {status}. Try again in a moment.', { status });
}
