import ipaddr from 'ipaddr.js';
import { Type } from 'typebox';
import type { Assets } from '../kit/assets.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { type FieldJudge, fieldReader, invalid, nameField, queryReader } from '../kit/fields.ts';
import { isUuid } from '../kit/ids.ts';
import { unitsOfDecimal } from '../kit/money.ts';
import { pageById, pageFields } from '../kit/page-query.ts';
import type { Seal } from '../kit/seal.ts';
import type { Console } from './console.ts';
import { actions } from './guards.ts';
import {
  createFirstSigningKey,
  createRestrictedKey,
  revokeKey,
  rollKey,
  switchSigning,
} from './key-changes.ts';
import { listKeys } from './key-list.ts';

const KeyBody = Type.Object({
  name: nameField(100),
  actions: Type.Optional(Type.Array(Type.Enum([...actions]), { minItems: 1, uniqueItems: true })),
  addresses: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 50 })),
  daily_limits: Type.Optional(Type.Record(Type.String(), Type.String(), { minProperties: 1 })),
});

const RollBody = Type.Object({ overlap_days: Type.Number({ minimum: 0, maximum: 7 }) });
const readRoll = fieldReader(RollBody);
const daySeconds = 24 * 3600;

const readPage = queryReader(Type.Object(pageFields));

export type KeyConsoleDeps = { db: Database; seal: Seal; assets: Assets; now: Clock };

/** An integration's API keys. A secret is answered once, when its key is made or rolled. */
export function keyConsoleRoutes(dashboard: Console, { db, seal, assets, now }: KeyConsoleDeps): void {
  const readKey = keyReader(assets);
  const sensitive = { may: 'manage keys', fresh: true } as const;

  dashboard.get('mode', '/keys', { may: 'read' }, async ({ owner, query }) => {
    const data = await pageById(readPage(query), (rows) => listKeys(db, owner, rows, now()));
    return { message: 'Keys', data };
  });

  dashboard.get('mode', '/keys/choices', { may: 'read' }, async () => ({
    message: 'What a key can be restricted to',
    data: { actions, assets: assets.all.map(({ code }) => code) },
  }));

  dashboard.write('POST', 'mode', '/keys', { ...sensitive, secrets: true }, async (tx, { owner, body }) => {
    const restrictions = readKey(body);
    const { id, secret } = await createRestrictedKey(tx, seal, owner, restrictions, now());
    const after = { ...restrictions, mode: owner.mode, hint: secret.slice(-4) };
    const change = { action: 'made a key', subject: { kind: 'key', id }, after };
    return { message: 'Key created', data: { id, secret_key: secret }, change };
  });

  dashboard.write(
    'POST',
    'mode',
    '/keys/signing',
    { ...sensitive, secrets: true },
    async (tx, { owner, integration }) => {
      const secret = await createFirstSigningKey(tx, seal, owner, now());
      const change = {
        action: `made the ${owner.mode} signing key`,
        subject: { kind: 'integration', id: integration.id },
        after: { hint: secret.slice(-4) },
      };
      return { message: 'Key created', data: { secret_key: secret }, change };
    },
  );

  dashboard.write('POST', 'mode', '/keys/switch-signing', sensitive, async (tx, { owner, integration }) => {
    await switchSigning(tx, owner, now());
    const change = {
      action: `switched ${owner.mode} webhooks to the new signing key`,
      subject: { kind: 'integration', id: integration.id },
    };
    return { message: 'Webhooks are signed with the new key', data: null, change };
  });

  dashboard.write(
    'POST',
    'mode',
    '/keys/:key/roll',
    { ...sensitive, secrets: true },
    async (tx, { owner, params, body }) => {
      const keyId = keyIdOf(params);
      const overlapSeconds = Math.round(readRoll(body).overlap_days * daySeconds);
      const roll = await rollKey(tx, seal, owner, { keyId, overlapSeconds }, now());
      const change = {
        action: 'rolled a key',
        subject: { kind: 'key', id: keyId },
        before: { hint: roll.oldHint, valid_until: null },
        after: { hint: roll.secret.slice(-4), old_valid_until: roll.oldValidUntil, successor: roll.id },
      };
      const data = { id: roll.id, secret_key: roll.secret, old_valid_until: roll.oldValidUntil };
      return { message: 'Key rolled', data, change };
    },
  );

  dashboard.write('POST', 'mode', '/keys/:key/revoke', sensitive, async (tx, { owner, params }) => {
    const id = keyIdOf(params);
    const hint = await revokeKey(tx, owner, id, now());
    const change = { action: 'revoked a key', subject: { kind: 'key', id }, before: { hint } };
    return { message: 'Key revoked', data: null, change };
  });
}

function keyIdOf({ key = '' }: Record<string, string>): string {
  if (!isUuid(key)) throw refuse(kitErrors.not_found);
  return key;
}

/** Reads the body of a restricted key; what is left out restricts nothing. */
function keyReader(assets: Assets) {
  const limitsJudge: FieldJudge = (value) => {
    if (value === undefined) return null;
    const limits = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (limits.length === 0 || Array.isArray(value)) {
      return invalid('daily_limits', 'must name assets with an amount each');
    }
    const wrong = limits.find(([code, amount]) => !isAmount(assets, code, amount));
    return wrong ? invalid(`daily_limits.${wrong[0]}`, 'must be an asset with a decimal amount') : null;
  };
  const read = fieldReader(KeyBody, { addresses: addressesJudge, daily_limits: limitsJudge });
  return (body: unknown) => {
    const { name, actions: allowed, addresses, daily_limits: limits } = read(body);
    return {
      name,
      actions: allowed ?? null,
      addresses: addresses ?? null,
      dailyLimits: limits ?? null,
    };
  };
}

function isAmount(assets: Assets, code: string, amount: unknown): boolean {
  const asset = assets.find(code);
  return asset !== undefined && typeof amount === 'string' && unitsOfDecimal(amount, asset.scale) !== null;
}

const addressesJudge: FieldJudge = (value) => {
  if (value === undefined) return null;
  const isList = Array.isArray(value) && value.length > 0 && value.length <= 50;
  return isList && value.every(isAddressOrBlock)
    ? null
    : invalid('addresses', 'must be 1 to 50 IP addresses or CIDR blocks');
};

/** An address in its usual spelling, or a block such as `203.0.113.0/24`. */
function isAddressOrBlock(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 50) return false;
  if (value.includes('/')) return ipaddr.isValidCIDR(value);
  return ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value);
}
