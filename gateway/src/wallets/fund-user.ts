import { Type } from 'typebox';
import { identityErrors } from '../identity/errors.ts';
import type { Integration, Mode } from '../identity/integration.ts';
import { fundingSettingsOf } from '../identity/integrations/fundings.ts';
import type { Guards } from '../identity/keys/guards.ts';
import type { ApiKey } from '../identity/keys/keys.ts';
import type { Tx } from '../kit/db/db.ts';
import { Refusal, refuse } from '../kit/errors.ts';
import { named } from '../kit/http/answers.ts';
import { fieldReader, invalid, isCleanText } from '../kit/http/fields.ts';
import { envelope } from '../kit/http/http.ts';
import type { Answer, IdempotencyKey } from '../kit/http/idempotency.ts';
import { amountRefusal } from '../ledger/amount.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type Asset, type Assets, type Currency, currencyScale } from '../money/assets.ts';
import { rescale, unitsOfDecimal } from '../money/money.ts';
import { parseAmount } from '../payments/payment/amount.ts';
import { paymentErrors } from '../payments/payment/errors.ts';
import type { AllowanceUse } from './allowance.ts';
import { walletErrors } from './errors.ts';
import type { WalletBackend } from './wallet-backend.ts';

export const FundUserBody = Type.Object(
  {
    username: Type.String({ description: 'Who receives the money.' }),
    amount: Type.Number({ exclusiveMinimum: 0, description: 'In the currency itself.' }),
    currency: Type.String({
      description:
        'An asset code in lower case, such as pi or usdt-bep20; in test mode also one of a test network.',
    }),
  },
  named(
    'FundUserInput',
    'Body of `fundUser`. `currency` is an asset code in lower case: `pi`, `usdc-base`, `usdt-bep20` ...',
  ),
);

const FundUserForm = Type.Object({
  username: FundUserBody.properties.username,
  amount: Type.String({ description: 'A plain decimal number, in the currency itself.' }),
  currency: FundUserBody.properties.currency,
});

/** Who gets how much of what; `units` at the asset's own scale. */
export type FundUserInput = { username: string; asset: Asset; units: bigint };

/**
 * Units at the currency's scale, or the refusal. Of an unknown currency, which is refused too, the units do not
 * count.
 */
type ParseAmount = (value: unknown, currency: Currency | undefined) => bigint | Refusal;

function parsers(assets: Assets, parseAmount: ParseAmount) {
  const assetOf = (code: unknown) => (typeof code === 'string' ? assets.find(code) : undefined);
  return {
    username: (value: unknown) => {
      if (value !== undefined && typeof value !== 'string') return invalid('username', 'must be text');
      return value !== undefined && value.length <= 255 && isCleanText(value)
        ? value
        : refuse(walletErrors.username_required);
    },
    amount: (value: unknown, { currency }: { currency?: unknown }) =>
      parseAmount(value, assetOf(currency)?.currency),
    currency: (value: unknown) => {
      if (value === undefined) return refuse(paymentErrors.currency_required);
      return assetOf(value) ?? refuse(paymentErrors.currency_unsupported);
    },
  };
}

/** Reads the body of fund-user, whose amount is a JSON number; the registry says which assets there are. */
export function fundUserReader(assets: Assets): (body: unknown) => FundUserInput {
  const read = fieldReader(FundUserBody, {}, parsers(assets, parseAmount));
  return (body) => inputOf(read(body));
}

/** Reads the dashboard's form, whose amount is a decimal string; refuses what the API refuses. */
export function fundUserFormReader(assets: Assets): (body: unknown) => FundUserInput {
  const read = fieldReader(FundUserForm, {}, parsers(assets, parseDecimal));
  return (body) => inputOf(read(body));
}

function inputOf(read: { username: string; amount: bigint; currency: Asset }): FundUserInput {
  const { username, amount, currency: asset } = read;
  return { username, asset, units: rescale(amount, currencyScale[asset.currency], asset.scale) };
}

const finest = Math.max(...Object.values(currencyScale));
const maxDigits = 15;

const parseDecimal: ParseAmount = (value, currency) => {
  const isDecimal = typeof value === 'string' && value.length <= 100 && /^\d+(?:\.\d+)?$/.test(value);
  if (!isDecimal || /^[0.]*$/.test(value)) return amountRefusal('not_positive', currency ?? '');
  const units = unitsOfDecimal(value, currency ? currencyScale[currency] : finest);
  if (units === null) {
    // A zero before another digit, or more decimals than there are; how many it has depends on the currency.
    if (unitsOfDecimal(value, value.length) === null) return amountRefusal('not_positive', currency ?? '');
    return currency ? amountRefusal('too_many_decimals', currency) : 0n;
  }
  const digits = value.replace('.', '').replace(/^0+/, '');
  const significant = value.includes('.') ? digits.replace(/0+$/, '') : digits;
  return significant.length > maxDigits ? amountRefusal('too_large', currency ?? '') : units;
};

const done = envelope('User wallet funded successfully', null);

export type FundUserCall = {
  integration: Integration;
  mode: Mode;
  input: FundUserInput;
  key: IdempotencyKey | null;
  /** The daily limits of the key that asks, where it has any. */
  allowance?: ApiKey['allowance'];
  /** The key that asks, and its address. */
  caller?: Caller;
  /** Runs in the transaction that moves the money. */
  record?: (tx: Tx) => Promise<void>;
};

/**
 * Funds a user from the business balance. Live mode needs an approved integration, and the owner may have turned it off.
 * Throws `not_approved`, `fund_user_off`, and as the backend does.
 */
export async function fundUser(wallets: WalletBackend, call: FundUserCall): Promise<Answer> {
  const { integration, mode, input, key, allowance, caller, record } = call;
  assertFunds(integration, mode);
  return await wallets.fund({
    integrationId: integration.id,
    integrationName: integration.name,
    mode,
    username: input.username,
    asset: input.asset.code,
    units: input.units,
    uses: [
      ...(allowance ? [useOfKey(allowance, input)] : []),
      ...usesOfIntegration(integration, mode, input),
    ],
    key,
    caller,
    response: done,
    ...(record ? { record } : {}),
  });
}

/** Refuses where a business may not fund users now. Throws `not_approved`, `fund_user_off`. */
export function assertFunds(integration: Integration, mode: Mode): void {
  if (mode === 'live' && integration.approval !== 'approved') throw refuse(identityErrors.not_approved);
  if (!fundingSettingsOf(integration, mode).enabled) throw refuse(walletErrors.fund_user_off);
}

/** What a funding takes of a key's daily limit: an asset without one may not be funded. */
function useOfKey(
  { id, limits }: NonNullable<ApiKey['allowance']>,
  { asset, units }: FundUserInput,
): AllowanceUse {
  const limit = unitsOfDecimal(limits[asset.code] ?? '0', asset.scale) ?? 0n;
  return { of: 'key', allowanceId: id, asset, limit, units };
}

/** What a funding takes of the daily limit that the owner set; none where they set none for the asset. */
export function usesOfIntegration(
  integration: Integration,
  mode: Mode,
  { asset, units }: Pick<FundUserInput, 'asset' | 'units'>,
): AllowanceUse[] {
  const { limits, allowanceId } = fundingSettingsOf(integration, mode);
  const limit = limits[asset.code];
  if (limit === undefined || allowanceId === null) return [];
  return [{ of: 'integration', allowanceId, asset, limit: unitsOfDecimal(limit, asset.scale) ?? 0n, units }];
}

/**
 * Does what names a user, and counts it against the integration where there is no such user, so that nobody can find out who
 * has a wallet by trying many names.
 */
export async function limitingGuesses<T>(
  { userProbe }: Pick<Guards, 'userProbe'>,
  integrationId: string,
  work: () => Promise<T>,
): Promise<T> {
  await userProbe.check(integrationId);
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.row === walletErrors.user_not_found)
      await userProbe.count(integrationId);
    throw error;
  }
}
