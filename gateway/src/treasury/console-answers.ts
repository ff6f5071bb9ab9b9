import { type Static, Type } from 'typebox';
import { Mode } from '../identity/console/answers/integrations.ts';
import { Decimal, Id, orNull, pageSchema, Time } from '../kit/http/answers.ts';

// What the calls of operators on treasuries and vaults answer.

const text = Type.String();
const place = Type.Enum(['addresses', 'treasury', 'vault', 'operator']);

/** A transfer into a treasury or vault, or out of it. */
export const TreasuryMove = Type.Object({
  id: Id,
  /** `test`: a coin of a test network. */
  mode: Mode,
  rail: text,
  asset: text,
  network: orNull(text),
  amount: Decimal,
  from: place,
  to: place,
  transaction: text,
  /** On a block explorer, where there is one. */
  transaction_url: orNull(text),
  sender: orNull(text),
  receiver: text,
  receiver_url: orNull(text),
  at: Time,
  /** A reorg took it back. */
  is_gone: Type.Boolean(),
  /** The payout that ordered it. */
  payout_id: orNull(Id),
  /** Ids under which the vault paid this and that belong to no payout, for example after a restore. */
  unknown_vault_ids: Type.Array(text),
  /** What an operator decided about a move without an order. */
  decision: orNull(
    Type.Object({
      owner: Type.Enum(['operator', 'business', 'user']),
      owner_name: orNull(text),
      at: Time,
      by: orNull(text),
      reason: text,
    }),
  ),
});
export type TreasuryMove = Static<typeof TreasuryMove>;
export const TreasuryMovePage = pageSchema(TreasuryMove);
