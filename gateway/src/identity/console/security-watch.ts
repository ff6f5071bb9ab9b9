import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ErrorRow, kitErrors, Refusal } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { clientKey } from '../../kit/net/client-address.ts';
import type { SecurityEvent, SecurityLog } from '../audit/security-log.ts';
import { identityErrors } from '../errors.ts';

type Named = { id: string; email: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in. */
    person?: Named;
    /** The account whose secret is tried, where there is one. */
    triedAccount?: Named;
    /** The signed-in person asked for something that is not theirs, or does not exist. */
    isOutOfReach?: boolean;
  }
}

type Noted = Pick<SecurityEvent, 'action' | 'detail'>;

const failed = (action: SecurityEvent['action'], detail: string): Noted => ({ action, detail });
const signIn = 'failed to sign in';
const refused = 'was refused for lack of rights';

/** What a refusal is in the security log. */
const notedOf = new Map<ErrorRow, Noted>([
  [identityErrors.sign_in_wrong, failed(signIn, 'password')],
  [identityErrors.passkey_unknown, failed(signIn, 'passkey')],
  [identityErrors.passkey_refused, failed(signIn, 'passkey')],
  [identityErrors.passkey_unconfirmed, failed(signIn, 'passkey')],
  [identityErrors.password_wrong, failed('failed to confirm who they are', 'password')],
  [identityErrors.role_may_not, failed(refused, 'role')],
  [identityErrors.operators_only, failed(refused, 'operators only')],
  [identityErrors.action_not_allowed, failed(refused, 'call of a key')],
  [identityErrors.address_not_allowed, failed(refused, 'address of a key')],
  [kitErrors.foreign_form, failed(refused, 'foreign origin')],
  [identityErrors.secret_key_invalid, failed('used an unknown key', 'key')],
]);

function eventOf(request: FastifyRequest, { row, headers }: Refusal): Noted | null {
  if (row === identityErrors.code_wrong || row === identityErrors.code_used) {
    const action = request.person ? 'failed to confirm who they are' : 'failed the second step of a sign-in';
    return { action, detail: 'code' };
  }
  if (row === identityErrors.authorization) {
    const { authorization } = request.headers;
    return authorization === undefined ? null : { action: 'used an unknown key', detail: 'key' };
  }
  if (row === kitErrors.rate_limited) {
    const policy = /^"([\w-]+)"/.exec(`${headers['ratelimit-policy']}`)?.[1] ?? null;
    return { action: 'reached a limit', detail: policy };
  }
  if (row === kitErrors.not_found && request.isOutOfReach) return failed(refused, 'not theirs');
  return notedOf.get(row) ?? null;
}

/** Who made a call, and whom it is about. */
function partiesOf(request: FastifyRequest): Pick<SecurityEvent, 'actor' | 'subject'> {
  const { apiKey, person, triedAccount, ip } = request;
  if (apiKey) {
    const actor = { kind: 'key', id: apiKey.id, name: 'API key' } as const;
    return { actor, subject: { kind: 'key', id: apiKey.id } };
  }
  if (person) {
    const actor = { kind: 'account', id: person.id, name: person.email } as const;
    return { actor, subject: { kind: 'account', id: person.id } };
  }
  const actor = { kind: 'stranger', id: null, name: triedAccount?.email ?? 'somebody' } as const;
  const subject = triedAccount
    ? { kind: 'account', id: triedAccount.id }
    : { kind: 'address', id: clientKey(ip) };
  return { actor, subject };
}

/** Notes what happened in a call. */
export function noteCall(log: SecurityLog, request: FastifyRequest, { action, detail }: Noted): void {
  const { merchant, integration } = (request.params ?? {}) as Record<string, string | undefined>;
  const idOf = (text: string | undefined) => (text !== undefined && isUuid(text) ? text : null);
  const isTheirs = action === refused && !request.isOutOfReach;
  log.note({
    action,
    detail,
    ...partiesOf(request),
    address: request.ip,
    // A role is refused only to people who may see the business in the path; others get `not_found`.
    ...(isTheirs && { merchantId: idOf(merchant) }),
    integrationId: request.apiKey?.integration.id ?? (isTheirs ? idOf(integration) : null),
  });
}

/** Notes failures, refusals and limits of all calls of a server. Call it before the routes are registered. */
export function watchRefusals(app: FastifyInstance, log: SecurityLog): void {
  app.addHook('onError', (request, _reply, error, done) => {
    const noted = error instanceof Refusal ? eventOf(request, error) : null;
    if (noted) noteCall(log, request, noted);
    done();
  });
}
