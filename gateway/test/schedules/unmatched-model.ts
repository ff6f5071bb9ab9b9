// What becomes of unmatched deposits, written from contract.md#states, for the tests to hold the gateway against. Payments,
// accounts and deposits are named by their numbers.

export type DepositFate = 'unreported' | 'open' | 'own' | { paymentOf: number };

export type UnmatchedModel = {
  due: bigint;
  deposits: { account: number; units: bigint; fate: DepositFate }[];
  /** What came with a payment's memo. */
  paid: { payment: number; account: number; units: bigint }[];
  claims: { payment: number; deposit: number }[];
};

/** What came for a payment, by its memo and otherwise. */
export function receivedBy({ paid, deposits }: UnmatchedModel, payment: number): bigint {
  const own = paid.filter((each) => each.payment === payment);
  const given = deposits.filter(({ fate }) => typeof fate === 'object' && fate.paymentOf === payment);
  return [...own, ...given].reduce((sum, { units }) => sum + units, 0n);
}

export const isCompleted = (model: UnmatchedModel, payment: number): boolean =>
  receivedBy(model, payment) >= model.due;

/** Whether the payment was paid with its memo from the account of this deposit. */
export const isProved = ({ deposits, paid }: UnmatchedModel, payment: number, deposit: number): boolean =>
  paid.some((each) => each.payment === payment && each.account === deposits[deposit]!.account);
