import { Type } from 'typebox';
import { identityErrors } from '../identity/errors.ts';
import type { Integration, Mode } from '../identity/integration.ts';
import type { ApiKey } from '../identity/keys/keys.ts';
import type { Tx } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import { type FieldJudge, fieldReader, isCleanText } from '../kit/http/fields.ts';
import { envelope } from '../kit/http/http.ts';
import type { Answer, IdempotencyKey } from '../kit/http/idempotency.ts';
import { type Asset, type Assets, type Currency, currencyScale } from '../money/assets.ts';
import { rescale, unitsOfDecimal } from '../money/money.ts';
import { amountUnits, judgeAmount } from '../payments/amount.ts';
import { paymentErrors } from '../payments/errors.ts';
import type { AllowanceClaim } from './allowance.ts';
import { walletErrors } from './errors.ts';
import type { WalletBackend } from './wallet-backend.ts';

export const FundUserBody = Type.Object({
  username: Type.String({ description: 'Who receives the money.' }),
  amount: Type.Number({ exclusiveMinimum: 0, description: 'In the currency itself.' }),
  currency: Type.String({ description: 'An asset code in lower case, such as pi or usdt-bep20.' }),
});

const FundUserForm = Type.Object({
  username: FundUserBody.properties.username,
  amount: Type.String({ description: 'A plain decimal number, in the currency itself.' }),
  currency: FundUserBody.properties.currency,
});

/** Who gets how much of what; `units` at the asset's own scale. */
export type FundUserInput = { username: string; asset: Asset; units: bigint };

type JudgeAmount = (value: unknown, currency: Currency | undefined) => ReturnType<FieldJudge>;

function judges(
  assets: Assets,
  judge: JudgeAmount,
): Record<keyof typeof FundUserBody.properties, FieldJudge> {
  const assetOf = (code: unknown) => (typeof code === 'string' ? assets.find(code) : undefined);
  return {
    username: (value) =>
      typeof value === 'string' && value.length <= 255 && isCleanText(value)
        ? null
        : refuse(walletErrors.username_required),
    amount: (value, input) => judge(value, assetOf(input.currency)?.currency),
    currency: (value) => {
      if (value === undefined) return refuse(paymentErrors.currency_required);
      return assetOf(value) ? null : refuse(paymentErrors.currency_unsupported);
    },
  };
}

/** Reads the body of fund-user, whose amount is a JSON number; the registry says which assets there are. */
export function fundUserReader(assets: Assets): (body: unknown) => FundUserInput {
  const read = fieldReader(FundUserBody, judges(assets, judgeAmount));
  return (body) => {
    const { username, amount, currency } = read(body);
    const asset = assets.get(currency);
    return inputOf(username, asset, amountUnits(amount, asset.currency));
  };
}

/** Reads the dashboard's form, whose amount is a decimal string; refuses what the API refuses. */
export function fundUserFormReader(assets: Assets): (body: unknown) => FundUserInput {
  const read = fieldReader(FundUserForm, judges(assets, judgeDecimal));
  return (body) => {
    const { username, amount, currency } = read(body);
    const asset = assets.get(currency);
    return inputOf(username, asset, unitsOfDecimal(amount, currencyScale[asset.currency])!);
  };
}

function inputOf(username: string, asset: Asset, units: bigint): FundUserInput {
  return { username, asset, units: rescale(units, currencyScale[asset.currency], asset.scale) };
}

const finest = Math.max(...Object.values(currencyScale));
const maxDigits = 15;

const judgeDecimal: JudgeAmount = (value, currency) => {
  const isDecimal = typeof value === 'string' && value.length <= 100 && /^\d+(?:\.\d+)?$/.test(value);
  if (!isDecimal || /^[0.]*$/.test(value)) return refuse(paymentErrors.amount_not_positive);
  const units = unitsOfDecimal(value, currency ? currencyScale[currency] : finest);
  if (units === null) {
    // A zero before another digit, or more decimals than there are; which ones, only a currency can tell.
    if (unitsOfDecimal(value, value.length) === null) return refuse(paymentErrors.amount_not_positive);
    return currency ? refuse(paymentErrors.amount_decimals, { currency }) : null;
  }
  const digits = value.replace('.', '').replace(/^0+/, '');
  const significant = value.includes('.') ? digits.replace(/0+$/, '') : digits;
  return significant.length > maxDigits ? refuse(paymentErrors.amount_too_large) : null;
};

const done = envelope('User wallet funded successfully', null);

export type FundUserCall = {
  integration: Integration;
  mode: Mode;
  input: FundUserInput;
  key: IdempotencyKey | null;
  /** The daily limits of the key that asks, where it has any. */
  allowance?: ApiKey['allowance'];
  /** Runs in the transaction that moves the money. */
  record?: (tx: Tx) => Promise<void>;
};

/** Funds a user from the business balance; live mode needs an approved integration. Throws as the backend does. */
export async function fundUser(wallets: WalletBackend, call: FundUserCall): Promise<Answer> {
  const { integration, mode, input, key, allowance, record } = call;
  if (mode === 'live' && integration.approval !== 'approved') throw refuse(identityErrors.not_approved);
  return await wallets.fund({
    integrationId: integration.id,
    mode,
    username: input.username,
    asset: input.asset.code,
    units: input.units,
    allowance: allowance ? claimOf(allowance, input) : undefined,
    key,
    response: done,
    ...(record ? { record } : {}),
  });
}

/** What a funding takes of a key's daily limit. */
function claimOf(
  { id, limits }: NonNullable<ApiKey['allowance']>,
  { asset, units }: FundUserInput,
): AllowanceClaim {
  const limit = unitsOfDecimal(limits[asset.code] ?? '0', asset.scale) ?? 0n;
  return { allowanceId: id, asset: asset.code, scale: asset.scale, limit, units };
}
