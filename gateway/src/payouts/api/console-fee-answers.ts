import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, pageSchema } from '../../kit/http/answers.ts';
import { payoutStatuses } from '../payout/payout.ts';
import { PayoutData } from './answers.ts';

// What the dashboard's calls for the operator's fees answer. Amounts are decimals in their own asset.

const text = Type.String();

export const FeeView = Type.Object({
  asset: text,
  currency: orNull(text),
  network: orNull(text),
  /** Earned and not withdrawn; below zero after refunds of fees. */
  earned: Decimal,
  /** On its way out. */
  leaving: Decimal,
  /** Why it cannot be sent now. */
  why_not: orNull(text),
});
export type FeeView = Static<typeof FeeView>;
export const FeePage = pageSchema(FeeView);

export type FeeWithdrawalView = Static<typeof PayoutData>;
export const FeeWithdrawalPage = pageSchema(PayoutData);
export const FeeWithdrawal = Type.Object({ id: Id, status: Type.Enum([...payoutStatuses]) });
