import type { FastifyInstance, FastifyRequest } from 'fastify';
import { recordChange } from '../../identity/audit/audit-log.ts';
import { apiKeyOf, type Guards } from '../../identity/keys/guards.ts';
import { keyActor } from '../../identity/keys/key-actor.ts';
import { keyActs } from '../../identity/keys/key-acts.ts';
import { nameOfKey } from '../../identity/keys/key-list.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Assets } from '../../money/assets.ts';
import { call } from '../protocol/door.ts';
import { problem } from '../protocol/problems.ts';
import { assetOfMethod, methodOf } from './methods.ts';
import { ratesView } from './rates.ts';
import { keyView, methodsView, serverInfo, storeView } from './views.ts';

export type StoreRouteDeps = { db: Database; guards: Guards; seal: Seal; assets: Assets; now: Clock };

const settings = 'btcpay.store.canviewstoresettings';

/** What a plug-in asks before its first invoice: the server, its key, its store, and how that can be paid. */
export function storeRoutes(door: FastifyInstance, deps: StoreRouteDeps): void {
  const { db, assets, now } = deps;
  door.get('/health', call(), () => ({ synchronized: true }));
  door.get('/server/info', call(null), (request) => serverInfo(assets, apiKeyOf(request)));
  keyRoutes(door, deps);
  door.get('/stores', call(settings), (request) => [storeView(apiKeyOf(request))]);
  door.get('/stores/:storeId', call(settings), (request) => storeView(apiKeyOf(request)));
  door.get('/stores/:storeId/payment-methods', call(settings), (request) =>
    methodsView(assets, apiKeyOf(request)),
  );
  door.get<{ Params: { method: string } }>(
    '/stores/:storeId/payment-methods/:method',
    call(settings),
    (request) => {
      const key = apiKeyOf(request);
      const asset = assetOfMethod(assets, key.mode, request.params.method);
      if (!asset) throw problem(404, 'paymentmethod-not-found', 'The payment method was not found');
      return methodsView(assets, key)[methodOf(asset)];
    },
  );
  door.get<{ Querystring: { currencyPair?: string | string[] } }>(
    '/stores/:storeId/rates',
    call(settings),
    (request) =>
      ratesView(db, apiKeyOf(request), [request.query.currencyPair ?? []].flat().slice(0, 100), now()),
  );
}

function keyRoutes(door: FastifyInstance, { db, seal, now }: StoreRouteDeps): void {
  const keys = keyActs({ seal, now });
  const current = async (request: FastifyRequest) => {
    const key = apiKeyOf(request);
    const secret = request.headers.authorization?.trim().split(/ +/)[1] ?? '';
    return keyView(key, { secret, label: (await nameOfKey(db, key.id)) ?? '' });
  };
  door.get('/api-keys/current', call(null), current);
  door.delete('/api-keys/current', call(null), async (request) => {
    const view = await current(request);
    await transaction(db, async (tx) => {
      const key = apiKeyOf(request);
      const actor = await keyActor(tx, request);
      await recordChange(tx, actor, await keys.revoke(tx, ownerOf(key), key.id), now());
    });
    return view;
  });
}
