// What becomes of strays, written from what SECURITY.md promises, for the tests to hold the gateway against. Payments,
// accounts and strays are named by their numbers; nobody is the customer of two payments but of the first and second.

export type StrayFate = 'untold' | 'open' | 'own' | { paymentOf: number };

export type StrayModel = {
  due: bigint;
  strays: { account: number; units: bigint; fate: StrayFate; order: number }[];
  /** By the payment's number; when it was made. */
  payments: Map<number, { order: number }>;
  /** What came with a payment's memo. */
  paid: { payment: number; account: number; units: bigint }[];
  claims: { payment: number; stray: number }[];
};

const customerOf = (payment: number): number => (payment === 1 ? 0 : payment);

/** What came for a payment, by its memo and otherwise. */
export function receivedBy({ paid, strays }: StrayModel, payment: number): bigint {
  const own = paid.filter((each) => each.payment === payment);
  const given = strays.filter(({ fate }) => typeof fate === 'object' && fate.paymentOf === payment);
  return [...own, ...given].reduce((sum, { units }) => sum + units, 0n);
}

export const isCompleted = (model: StrayModel, payment: number): boolean =>
  receivedBy(model, payment) >= model.due;

export const isClaimed = ({ claims }: StrayModel, payment: number, stray: number): boolean =>
  claims.some((each) => each.payment === payment && each.stray === stray);

/** Gives every claimed stray to whoever has proved that it is theirs, the oldest first. */
export function giveProved(model: StrayModel): void {
  const told = [...model.strays.keys()].sort((a, b) => model.strays[a]!.order - model.strays[b]!.order);
  for (const stray of told) {
    for (const payment of model.payments.keys()) {
      if (isProved(model, payment, stray)) model.strays[stray]!.fate = { paymentOf: payment };
    }
  }
}

function isProved(model: StrayModel, payment: number, stray: number): boolean {
  const { strays, paid, claims, due } = model;
  const { account, units, fate, order } = strays[stray]!;
  if (fate !== 'open' || !isClaimed(model, payment, stray) || isCompleted(model, payment)) return false;
  if (units > due || units * 50n < due * 49n || order < model.payments.get(payment)!.order) return false;
  if (claims.some((each) => each.stray === stray && each.payment !== payment)) return false;
  if (!paid.some((each) => each.payment === payment && each.account === account)) return false;
  const given = strays.flatMap((each) =>
    typeof each.fate === 'object' ? [{ payment: each.fate.paymentOf, account: each.account }] : [],
  );
  const isShared = [...paid, ...given].some(
    (each) => each.account === account && customerOf(each.payment) !== customerOf(payment),
  );
  const isLeft = strays.some(
    (each, index) =>
      each.account === account &&
      (each.fate === 'open' || each.fate === 'own') &&
      !isClaimed(model, payment, index),
  );
  return !isShared && !isLeft;
}
