import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { assertFresh, type Call, type Console } from '../../identity/console/console.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import { keyActs } from '../../identity/keys/key-acts.ts';
import { storeIdOf } from '../../identity/store-id.ts';
import type { Clock } from '../../kit/clock.ts';
import { fieldReader, invalid, nameField } from '../../kit/http/fields.ts';
import type { Seal } from '../../kit/seal.ts';
import { type DoorPermission, doorPermissions } from '../protocol/permissions.ts';
import { redirectOf } from './redirect.ts';

export type PairingDeps = { seal: Seal; guards: Pick<Guards, 'anyone'>; now: Clock };

type Asked = {
  permissions?: string | string[];
  applicationName?: string;
  redirect?: string;
};

const mostAsked = 20;

/** Where a shop sends its merchant to ask for a key: the dashboard's page then asks the person (contract.md#btcpay). */
export function authorizePage(server: FastifyInstance, { guards }: Pick<PairingDeps, 'guards'>): void {
  server.get<{ Querystring: Asked }>(
    '/api-keys/authorize',
    { schema: { hide: true }, onRequest: guards.anyone },
    (request, reply) => {
      const { permissions = [], applicationName, redirect } = request.query;
      // Shops name a permission for all stores, or for one; which store it is, the person decides.
      const asked = [permissions].flat().flatMap((each) => each.split(/[\s,;]+/));
      const names = [...new Set(asked.map((each) => each.split(':')[0] ?? ''))].filter((name) => name !== '');
      const query = new URLSearchParams({
        permissions: names.slice(0, mostAsked).join(',').slice(0, 1_000),
        application: [applicationName ?? ''].flat().join(' ').slice(0, 100),
        redirect: [redirect ?? ''].flat()[0]?.slice(0, 1_500) ?? '',
      });
      return reply.redirect(`/app/connect?${query}`, 303);
    },
  );
}

const names = Object.keys(doorPermissions) as DoorPermission[];

const PairingBody = Type.Object({
  application: nameField(100),
  redirect: Type.String({ maxLength: 2048 }),
  permissions: Type.Array(Type.Enum(names), { minItems: 1, uniqueItems: true }),
});
const readPairing = fieldReader(PairingBody);

/** What is posted to the shop: the key, what it may do, and the store that it is for. */
const Pairing = Type.Object({
  redirect: Type.String(),
  fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
});

/** Makes the key that a shop asked for. Nothing is sent from here: the person's browser posts it to the shop. */
export function pairingRoutes(dashboard: Console, { seal, now }: PairingDeps): void {
  const keys = keyActs({ seal, now });
  dashboard.write(
    'POST',
    'mode',
    '/pairings',
    { may: 'manage keys', secrets: true, answer: Pairing },
    async (tx, call) => {
      const { application, redirect, permissions } = readPairing(call.body);
      const { owner } = call;
      if (owner.mode === 'live') assertFresh(call, now());
      const address = redirectOf(redirect, owner.mode);
      if (!address) throw invalid('redirect', 'must be an https address; in test mode this machine too');
      const granted = withSettings(permissions);
      const actions = granted.flatMap((name) => doorPermissions[name] ?? []);
      if (actions.length === 0) throw invalid('permissions', 'must allow more than to see settings');
      const restrictions = { name: application, actions, addresses: null, dailyLimits: null };
      const { secret, change } = await keys.make(tx, owner, restrictions, makerOf(call));
      const store = storeIdOf(owner);
      const fields = [
        { name: 'apiKey', value: secret },
        ...granted.map((name) => ({ name: 'permissions[]', value: `${name}:${store}` })),
        { name: 'storeId', value: store },
      ];
      return { message: 'Key created', data: { redirect: address.href, fields }, change };
    },
  );
}

/** Every key may see the settings of its store, whether or not that was asked. */
const withSettings = (permissions: readonly DoorPermission[]): DoorPermission[] =>
  names.filter((name) => permissions.includes(name) || doorPermissions[name] === null);

const makerOf = ({ session, role }: Call<'mode'>) => ({ accountId: session.account.id, role });
