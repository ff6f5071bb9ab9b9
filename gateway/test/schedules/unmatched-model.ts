// What becomes of unmatched deposits, written from contract.md 5, for the tests to hold the gateway against. Payments,
// accounts and deposits are named by their numbers.

export type StrayFate = 'untold' | 'open' | 'own' | { paymentOf: number };

export type StrayModel = {
  due: bigint;
  strays: { account: number; units: bigint; fate: StrayFate }[];
  /** What came with a payment's memo. */
  paid: { payment: number; account: number; units: bigint }[];
  claims: { payment: number; stray: number }[];
};

/** What came for a payment, by its memo and otherwise. */
export function receivedBy({ paid, strays }: StrayModel, payment: number): bigint {
  const own = paid.filter((each) => each.payment === payment);
  const given = strays.filter(({ fate }) => typeof fate === 'object' && fate.paymentOf === payment);
  return [...own, ...given].reduce((sum, { units }) => sum + units, 0n);
}

export const isCompleted = (model: StrayModel, payment: number): boolean =>
  receivedBy(model, payment) >= model.due;

/** Whether the payment was paid with its memo from the account of this stray. */
export const isProved = ({ strays, paid }: StrayModel, payment: number, stray: number): boolean =>
  paid.some((each) => each.payment === payment && each.account === strays[stray]!.account);
