import type { FastifyInstance } from 'fastify';
import { transaction } from '../../kit/db/db.ts';
import {
  checkSignIn,
  type PasskeyPlace,
  registrationOptions,
  signInOptions,
} from '../../wallets/accounts/passkeys.ts';
import { noteTry } from '../../wallets/accounts/password-try.ts';
import { Fault } from '../notices.ts';
import { signInView } from '../views/entrance.ts';
import type { Frame } from './frame.ts';
import { type EntranceDeps, enter } from './sign-in.ts';
import { answerOf } from './sign-up.ts';

type Deps = EntranceDeps & { passkeyPlace: PasskeyPlace };

/** Passkeys: the options that the script asks for, and the sign-in by one. The script sends the answers as forms. */
export function passkeyForms(app: FastifyInstance, frame: Frame, deps: Deps): void {
  const { db, door, guards, now, passkeyPlace } = deps;

  // Only the script calls this, by fetch, with which browsers send an Origin.
  app.post('/wallet/passkey-options', { schema: { hide: true } }, async (request, reply) => {
    const exchange = await frame.exchangeOf(request, reply);
    door.refuseForeign(request, exchange.cookies);
    const { field, session } = exchange;
    const purpose = field('purpose');
    const asked = await transaction(db, async (tx) => {
      if (purpose === 'sign-in') return await signInOptions(tx, passkeyPlace, now());
      if (purpose === 'add' && session)
        return await registrationOptions(tx, passkeyPlace, session.user, now());
      const newcomer = { id: null, username: (field('username') || 'Florin').slice(0, 64) };
      return await registrationOptions(tx, passkeyPlace, newcomer, now());
    });
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(asked));
  });

  frame.form(
    'sign-in-passkey',
    async (exchange) => {
      const { request } = exchange;
      const attempt = await guards.unnamed(request, 'passkey');
      const answer = answerOf(exchange);
      const userId = answer && (await transaction(db, (tx) => checkSignIn(tx, passkeyPlace, answer, now())));
      if (!userId) {
        const nobody = { id: null, username: '' };
        noteTry(deps, nobody, request.ip, { action: 'failed to sign in', detail: 'passkey' });
        throw new Fault('passkeyFailed', 401);
      }
      await attempt.succeeded();
      return await enter(deps, exchange, userId, { byFactor: true });
    },
    ({ context }) => signInView(context),
  );
}
