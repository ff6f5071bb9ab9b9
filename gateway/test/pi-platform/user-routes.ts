import type { PlatformContext } from './context.ts';
import type { Call, Route } from './http.ts';
import type { PaymentRequest } from './payment.ts';
import { Refusal } from './refusal.ts';
import type { UserSide } from './user-side.ts';
import type { PiUser } from './users.ts';

/**
 * What the simulated SDK in a page talks to, in place of the Pi app around it. These paths are the stand-in's own:
 * the Platform API has none of them.
 */
export function userRoutes({ users, app }: PlatformContext, userSide: UserSide): Route[] {
  const signedIn =
    (answer: (user: PiUser, call: Call, identifier: string) => unknown) =>
    (call: Call, identifier = '') => {
      const user = users.byToken(/^Bearer (.+)$/.exec(call.authorization)?.[1] ?? '');
      if (!user) throw new Refusal(401, 'unauthorized', 'The access token is missing or wrong.');
      return answer(user, call, identifier);
    };
  return [
    [
      /^POST \/pi-app\/authenticate$/,
      ({ body }) => {
        const user = typeof body.username === 'string' ? users.byName(body.username) : users.first();
        if (!user) throw new Refusal(404, 'user_not_found', 'There is no such user.');
        const { accessToken, uid, username } = user;
        const incomplete = userSide.incompleteOf(user) ?? null;
        return { accessToken, user: { uid, username }, app: { name: app.name }, incomplete };
      },
    ],
    [
      /^POST \/pi-app\/payments$/,
      signedIn((user, { body }) => userSide.create(user, body as PaymentRequest)),
    ],
    [/^GET \/pi-app\/payments\/([^/]+)$/, signedIn((user, _, identifier) => userSide.get(user, identifier))],
    [
      /^POST \/pi-app\/payments\/([^/]+)\/(submit|cancel|fail)$/,
      (call, identifier, act) =>
        signedIn((user) => userSide[act as 'submit' | 'cancel' | 'fail'](user, identifier!))(call),
    ],
  ];
}
