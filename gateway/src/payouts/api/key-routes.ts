import type { FastifyInstance } from 'fastify';
import { actionsOf, apiKeyOf } from '../../identity/keys/guards.ts';
import { ownKey } from '../../identity/keys/key-list.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, sendEnvelope } from '../../kit/http/http.ts';
import { decimalOf } from '../../money/money.ts';
import { keyRequester } from '../lifecycle/ask.ts';
import { leftOfKey } from '../rules/limits.ts';
import { OwnKeyData } from './answers.ts';
import type { PayoutRouteDeps } from './routes.ts';

/** What the key of a call may do, how much money it may move, and until when (contract.md#keys). */
export function keyRoutes(app: FastifyInstance, { db, guards, assets, now }: PayoutRouteDeps): void {
  app.get(
    '/key',
    {
      onRequest: guards.anyKey,
      schema: {
        tags: ['Keys'],
        operationId: 'getKey',
        sdk: 'key.get()',
        summary: 'What this key may do',
        description:
          'The key that the call is made with: its rights, what is left of its daily limits, and when it ends. Every key may ask this.',
        response: answers(OwnKeyData),
      },
    },
    async (request, reply) => {
      const key = apiKeyOf(request);
      const { kind, name, hint, valid_until } = await ownKey(db, key.id);
      const { limits } = keyRequester(key);
      const left = limits && (await leftOfKey(db, assets.of(key.mode), limits, now()));
      const data = {
        ...{ id: key.id, kind, name, hint, mode: key.mode },
        integration: { id: key.integration.id, name: key.integration.name },
        actions: actionsOf(key),
        addresses: key.allowedAddresses,
        daily_limits:
          left?.map(({ asset: { code, scale }, ...units }) => ({
            ...{ asset: code, limit: decimalOf(units.limit, scale), left: decimalOf(units.left, scale) },
          })) ?? null,
        asks_above: limits?.asksAbove ?? false,
        valid_until: valid_until?.toISOString() ?? null,
      };
      return sendEnvelope(reply, envelope('Key', data));
    },
  );
}
