import { Type } from 'typebox';
import { type FieldFault, kitErrors, Refusal, refuse } from '../../kit/errors.ts';
import { named } from '../../kit/http/answers.ts';
import {
  type FieldParser,
  fieldReader,
  invalid,
  queryReader,
  type Strict,
  unknownFields,
} from '../../kit/http/fields.ts';
import { amountRefusal, unitsOfAmount } from '../../ledger/amount.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import { unitsOfDecimal } from '../../money/money.ts';
import type { Sending } from '../../rails/rail.ts';
import type { Wanted } from '../lifecycle/order.ts';
import { payoutErrors } from '../payout/errors.ts';
import { payoutStatuses } from '../payout/payout.ts';

const Amount = Type.Union([Type.String(), Type.Number()], {
  description: 'A decimal string at the scale of the asset; a JSON number is taken too.',
});

export const PayoutBody = Type.Object(
  {
    asset: Type.String({
      description: 'An asset code such as usdc-base or pi; in test mode also one of a test network.',
    }),
    amount: Amount,
    to: Type.String({
      maxLength: 200,
      format: 'line',
      description: 'The address that gets exactly the amount.',
    }),
    memo: Type.Optional(Type.String({ maxLength: 100, format: 'line' })),
    payout_reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        format: 'line',
        description: "The merchant's own name for it.",
      }),
    ),
    description: Type.Optional(Type.String({ maxLength: 500, format: 'text' })),
  },
  named(
    'PayoutInput',
    'A payout as it is asked for. `amount` is a decimal string at the scale of the asset; `to` gets exactly that.',
  ),
);

/** What is not done but only judged, in every call that takes it. */
export const DryRun = Type.Optional(
  Type.Boolean({ description: 'true: nothing is done. The answer is what the call would answer.' }),
);

export const PayoutOrderBody = Type.Object(
  { ...PayoutBody.properties, dry_run: DryRun },
  named('PayoutOrderInput', 'Body of `payouts.create`: a payout; with `dry_run` it is only judged.'),
);

const maxBatch = 500;
/** Of the body of a batch. */
export const batchBytes = 512 * 1024;

export const BatchBody = Type.Object(
  {
    payouts: Type.Array(PayoutBody, { minItems: 1, maxItems: maxBatch }),
    dry_run: DryRun,
  },
  named('PayoutBatchInput', 'Body of `payouts.createBatch`.'),
);

const notPositive = (field: string) => () => invalid(field, 'must be a positive number');

/**
 * How calls are read that move money out, or promise it (contract.md#money-out): an amount, an asset or an address that is there and
 * empty is a mistake of the caller's, and never means all of it, or any.
 */
export const strictMoney: Strict = {
  empty: {
    amount: () => refuse(ledgerErrors.amount_not_positive),
    min_amount: notPositive('min_amount'),
    max_amount: notPositive('max_amount'),
    asset: () => refuse(payoutErrors.asset_unsupported),
    to: () => refuse(payoutErrors.to_required),
  },
};

/** What a rail says of a destination; null: it is good. */
export type FaultOf = Sending['faultOf'];

/** The parsers of an asset and of an amount in it, for every call that takes both. */
export function moneyParsers(assets: Assets): { asset: FieldParser<Asset>; amount: FieldParser<bigint> } {
  const find = (code: unknown): Asset | undefined =>
    typeof code === 'string' ? assets.find(code) : undefined;
  return {
    asset: (value) => {
      if (value === undefined) return refuse(payoutErrors.asset_required);
      return find(value) ?? refuse(payoutErrors.asset_unsupported);
    },
    amount: (value, input) => {
      const asset = find(input.asset);
      const units = unitsOfAmount(value, asset?.scale ?? widestScale);
      return typeof units === 'bigint' ? units : amountRefusal(units, asset?.currency ?? '');
    },
  };
}

const widestScale = 18;

/** The parsers of a destination: the rail that would send it says what is wrong with it. */
export function destinationParsers(
  assets: Assets,
  faultOf: FaultOf,
): { to: FieldParser<string>; memo: FieldParser<string | undefined> } {
  const refusalOf = (field: 'to' | 'memo', { asset: code, to, memo }: Sent) => {
    const asset = typeof code === 'string' ? assets.find(code) : undefined;
    if (!asset || typeof to !== 'string') return null;
    const fault = faultOf({
      asset: asset.code,
      to,
      memo: typeof memo === 'string' && memo !== '' ? memo : null,
    });
    return fault?.field === field ? invalid(field, fault.why) : null;
  };
  return {
    to(value, input) {
      if (value === undefined) return refuse(payoutErrors.to_required);
      if (typeof value !== 'string') return invalid('to', 'must be an address');
      return refusalOf('to', input) ?? value;
    },
    memo(value, input) {
      if (value !== undefined && typeof value !== 'string') return invalid('memo', 'must be text');
      return refusalOf('memo', input) ?? value;
    },
  };
}

type Sent = { asset?: unknown; to?: unknown; memo?: unknown };

/** Reads what a payout is to be. */
export function payoutReader(assets: Assets, faultOf: FaultOf): (body: unknown) => Wanted {
  const read = fieldReader(
    PayoutOrderBody,
    {},
    { ...moneyParsers(assets), ...destinationParsers(assets, faultOf) },
    strictMoney,
  );
  return (body) => {
    const { asset, amount: units, to, memo = null, payout_reference, description } = read(body);
    return { asset, units, to, memo, reference: payout_reference ?? null, description: description ?? null };
  };
}

/** Reads a batch: every fault of every payout is named, with its place. */
export function batchReader(readPayout: (body: unknown) => Wanted): (body: unknown) => Wanted[] {
  return (body) => {
    const { payouts } = readBatch(body);
    const faults: FieldFault[] = [];
    let first: Refusal | undefined;
    const wanted = payouts.flatMap((each, index) => {
      try {
        const payout = readPayout(each);
        // A batch is judged as a whole, or not.
        const [unknown] = unknownFields(PayoutBody, each);
        if (unknown) throw new Refusal(kitErrors.field_invalid, unknown.message, { details: [unknown] });
        return [payout];
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        first ??= error;
        faults.push(...error.faults.map((fault) => ({ index, ...fault })));
        return [];
      }
    });
    const unknown = unknownFields(BatchBody, body);
    const [odd] = unknown;
    if (odd) first ??= new Refusal(kitErrors.field_invalid, odd.message);
    if (first) throw new Refusal(first.row, first.message, { details: [...faults, ...unknown] });
    return wanted;
  };
}

const readBatch = fieldReader(
  BatchBody,
  {},
  {
    payouts: (value) => {
      const isList = Array.isArray(value) && value.length > 0 && value.length <= maxBatch;
      return isList ? (value as unknown[]) : invalid('payouts', `must be 1 to ${maxBatch} payouts`);
    },
  },
);

export const ListQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...payoutStatuses])),
    asset: Type.Optional(Type.String({ maxLength: 40, format: 'text' })),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  named('PayoutFilter', 'Which payouts, and which page.'),
);
export const readListQuery = queryReader(ListQuery);

/** What is wrong with amounts by asset, as people set them; null: nothing. */
export function amountsFault(assets: Assets, name: string, value: unknown): Refusal | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject) return invalid(name, 'must name assets with an amount each');
  const wrong = Object.entries(value).find(([code, amount]) => !isAmount(assets, code, amount));
  return wrong ? invalid(`${name}.${wrong[0]}`, 'must be an asset with a decimal amount') : null;
}

function isAmount(assets: Assets, code: string, amount: unknown): boolean {
  const asset = assets.find(code);
  return asset !== undefined && typeof amount === 'string' && unitsOfDecimal(amount, asset.scale) !== null;
}
