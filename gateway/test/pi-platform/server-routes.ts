import type { PlatformContext } from './context.ts';
import { paymentOf } from './context.ts';
import type { Call, Route } from './http.ts';
import type { PaymentRequest } from './payment.ts';
import { Refusal } from './refusal.ts';
import { approve, cancel, complete, createAppToUser, incompleteServerPayments } from './server-side.ts';

const tokenSeconds = 3_600;

export type ListShape = 'wrapped' | 'bare';

/** Version 2 of the Platform API. */
export function serverRoutes(context: PlatformContext, listShape: () => ListShape): Route[] {
  const keyed =
    (answer: (call: Call, identifier: string) => unknown) =>
    (call: Call, identifier = '') => {
      if (call.authorization !== `Key ${context.app.key}`)
        throw new Refusal(401, 'unauthorized', 'The server key is missing or wrong.');
      return answer(call, identifier);
    };
  return [
    [/^GET \/v2\/me$/, (call) => me(context, call)],
    [
      /^GET \/v2\/payments\/incomplete_server_payments$/,
      keyed(() => {
        const list = incompleteServerPayments(context);
        return listShape() === 'bare' ? list : { incomplete_server_payments: list };
      }),
    ],
    [/^POST \/v2\/payments$/, keyed(({ body }) => createAppToUser(context, requestOf(body)))],
    [/^GET \/v2\/payments\/([^/]+)$/, keyed((_, identifier) => paymentOf(context, identifier))],
    [/^POST \/v2\/payments\/([^/]+)\/approve$/, keyed((_, identifier) => approve(context, identifier))],
    [
      /^POST \/v2\/payments\/([^/]+)\/complete$/,
      keyed(({ body }, identifier) => complete(context, identifier, body.txid)),
    ],
    [/^POST \/v2\/payments\/([^/]+)\/cancel$/, keyed((_, identifier) => cancel(context, identifier))],
  ];
}

function requestOf({ payment }: Record<string, unknown>): PaymentRequest & { uid: string } {
  if (typeof payment !== 'object' || payment === null)
    throw new Refusal(400, 'invalid_arguments', 'There is no payment.');
  return payment as PaymentRequest & { uid: string };
}

function me({ users, now }: PlatformContext, { authorization }: Call) {
  const user = users.byToken(/^Bearer (.+)$/.exec(authorization)?.[1] ?? '');
  if (!user) throw new Refusal(401, 'unauthorized', 'The access token is missing or wrong.');
  const until = new Date(now().getTime() + tokenSeconds * 1_000);
  const timestamp = Math.floor(until.getTime() / 1_000);
  return {
    uid: user.uid,
    username: user.username,
    credentials: {
      scopes: ['username', 'payments'],
      valid_until: { timestamp, iso8601: until.toISOString() },
    },
  };
}
