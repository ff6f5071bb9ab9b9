import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Assets } from '../../money/assets.ts';
import { identityErrors } from '../errors.ts';
import { keyActs } from '../keys/key-acts.ts';
import { listKeys } from '../keys/key-list.ts';
import { restrictionsReader } from '../keys/key-schema.ts';
import { testSecrets } from '../keys/keys.ts';
import { actionViews, type KeyMaker, withheldFrom } from '../keys/maker-rights.ts';
import { KeyChoices, KeyPage, MadeKey, MadeSigningKey, RolledKey, TestSecrets } from './answers/keys.ts';
import type { Call, Console } from './console.ts';

const RollBody = Type.Object({ overlap_days: Type.Number({ minimum: 0, maximum: 7 }) });
const readRoll = fieldReader(RollBody);
const daySeconds = 24 * 3600;

const readPage = queryReader(Type.Object(pageFields));

export type KeyConsoleDeps = { db: Database; seal: Seal; assets: Assets; now: Clock };

/** An integration's API keys. The secret of a live key is shown once, when the key is made or rolled. */
export function keyConsoleRoutes(dashboard: Console, deps: KeyConsoleDeps): void {
  readRoutes(dashboard, deps);
  changeRoutes(dashboard, deps);
}

function readRoutes(dashboard: Console, { db, seal, assets, now }: KeyConsoleDeps): void {
  dashboard.get('mode', '/keys', { may: 'read', answer: KeyPage }, async ({ owner, query }) => {
    const data = await pageById(readPage(query), (rows) => listKeys(db, owner, rows, now()));
    return { message: 'Keys', data };
  });

  dashboard.get('mode', '/keys/choices', { may: 'read', answer: KeyChoices }, async ({ owner, role }) => ({
    message: 'What a key can be restricted to',
    data: {
      actions: actionViews,
      assets: assets.of(owner.mode).all.map(({ code }) => code),
      withheld: withheldFrom(role),
    },
  }));

  dashboard.get('mode', '/keys/secrets', { may: 'manage keys', answer: TestSecrets }, async ({ owner }) => {
    if (owner.mode !== 'test') throw refuse(identityErrors.test_mode_only);
    const found = await testSecrets(db, seal, owner.integrationId, now());
    const items = found.map(({ id, secret }) => ({ id, secret_key: secret }));
    return { message: 'Secrets of the test keys', data: { items } };
  });
}

function changeRoutes(dashboard: Console, { seal, assets, now }: KeyConsoleDeps): void {
  const readRestrictions = restrictionsReader(assets, now);
  const keys = keyActs({ seal, now });
  const sensitive = { may: 'manage keys', fresh: true } as const;

  dashboard.write(
    'POST',
    'mode',
    '/keys',
    { ...sensitive, secrets: true, answer: MadeKey },
    async (tx, call) => {
      const { id, secret, change } = await keys.make(
        tx,
        call.owner,
        readRestrictions(call.body),
        makerOf(call),
      );
      return { message: 'Key created', data: { id, secret_key: secret }, change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/keys/signing',
    { ...sensitive, secrets: true, answer: MadeSigningKey },
    async (tx, call) => {
      const { secret, change } = await keys.makeSigning(tx, call.owner, makerOf(call));
      return { message: 'Key created', data: { secret_key: secret }, change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/keys/switch-signing',
    { ...sensitive, answer: Nothing },
    async (tx, { owner }) => {
      const change = await keys.switchSigning(tx, owner);
      return { message: 'Webhooks are signed with the new key', data: null, change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/keys/:key/roll',
    { ...sensitive, secrets: true, answer: RolledKey },
    async (tx, call) => {
      const overlapSeconds = Math.round(readRoll(call.body).overlap_days * daySeconds);
      const keyId = keyIdOf(call.params);
      const roll = await keys.roll(tx, call.owner, { keyId, overlapSeconds }, makerOf(call));
      const { id, secret, oldValidUntil, change } = roll;
      const data = { id, secret_key: secret, old_valid_until: oldValidUntil };
      return { message: 'Key rolled', data, change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/keys/:key/revoke',
    { ...sensitive, answer: Nothing },
    async (tx, { owner, params }) => {
      const change = await keys.revoke(tx, owner, keyIdOf(params));
      return { message: 'Key revoked', data: null, change };
    },
  );
}

function makerOf({ session, role }: Call<'mode'>): KeyMaker {
  return { accountId: session.account.id, role };
}

function keyIdOf({ key = '' }: Record<string, string>): string {
  if (!isUuid(key)) throw refuse(kitErrors.not_found);
  return key;
}
