import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiKeyOf, assertMay, type Guards } from '../../identity/keys/guards.ts';
import { ownerOf } from '../../identity/owner.ts';
import { storeIdOf } from '../../identity/store-id.ts';
import { type DoorPermission, doorPermissions, hasPermission } from './permissions.ts';
import { missing, problemOf, sendProblem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a call of the door: what its key must have; null: any key; absent: it needs none. */
    permission?: DoorPermission | null;
  }
}

/** The options of a call of the door. It is that API's, and not in the document of ours. */
export const call = (permission?: DoorPermission | null) => ({
  schema: { hide: true },
  config: permission === undefined ? {} : { permission },
});

/**
 * Registers calls of the door under `/api/v1`: keys stand behind `token`, and refusals have that API's form
 * (contract.md#btcpay).
 */
export function openDoor(
  api: FastifyInstance,
  guards: Pick<Guards, 'anyone' | 'token'>,
  routes: (door: FastifyInstance) => void,
): void {
  void api.register(
    async (door) => {
      door.setErrorHandler((error, request, reply) => sendProblem(reply, problemOf(error, request)));
      door.addHook('onRequest', async function admit(request, reply) {
        const { permission } = request.routeOptions.config;
        if (permission === undefined) return await guards.anyone.call(this, request, reply);
        await guards.token.call(this, request, reply);
        if (permission !== null) assertGranted(request, permission);
      });
      routes(door);
    },
    { prefix: '/api/v1' },
  );
}

function assertGranted(request: FastifyRequest, permission: DoorPermission): void {
  const key = apiKeyOf(request);
  const { storeId } = request.params as { storeId?: string };
  const action = doorPermissions[permission];
  if (action !== null && !hasPermission(key, permission)) assertMay(key, action);
  if (storeId !== undefined && storeId !== storeIdOf(ownerOf(key)))
    throw missing(`${permission}:${storeId}`, 'This key is not for this store');
}
