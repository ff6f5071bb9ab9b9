import ipaddr from 'ipaddr.js';
import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import { type FieldJudge, fieldReader, invalid, nameField } from '../../kit/http/fields.ts';
import type { Assets } from '../../money/assets.ts';
import { unitsOfDecimal } from '../../money/money.ts';
import { actions } from './guards.ts';
import type { Restrictions } from './key-changes.ts';

const KeyBody = Type.Object({
  name: nameField(100),
  actions: Type.Optional(Type.Array(Type.Enum([...actions]), { minItems: 1, uniqueItems: true })),
  addresses: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 50 })),
  daily_limits: Type.Optional(Type.Record(Type.String(), Type.String(), { minProperties: 1 })),
  asks_above: Type.Optional(Type.Boolean()),
  ends_at: Type.Optional(Type.String({ format: 'date-time' })),
});

/** Reads the restrictions of a key from a request's body; a field that is left out restricts nothing. */
export function restrictionsReader(assets: Assets, now: Clock): (body: unknown) => Restrictions {
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
    const {
      name,
      actions: allowed,
      addresses,
      daily_limits: limits,
      asks_above = false,
      ends_at,
    } = read(body);
    if (asks_above && !limits) throw invalid('asks_above', 'needs daily_limits, above which it asks');
    const endsAt = ends_at === undefined ? null : new Date(ends_at);
    if (endsAt !== null && endsAt <= now()) throw invalid('ends_at', 'must be in the future');
    return {
      name,
      actions: allowed ?? null,
      addresses: addresses ?? null,
      dailyLimits: limits ?? null,
      ...(asks_above && { asksAbove: true }),
      ...(endsAt && { endsAt }),
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

/** An address in its usual form, or a block such as `203.0.113.0/24`. */
function isAddressOrBlock(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 50) return false;
  if (value.includes('/')) return ipaddr.isValidCIDR(value);
  return ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value);
}
