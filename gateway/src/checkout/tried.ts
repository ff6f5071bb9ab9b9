import type { IntegrationId } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import { Refusal } from '../kit/errors.ts';
import { isCleanText } from '../kit/http/fields.ts';
import { findOwnPayment } from '../payments/read/read.ts';
import { readWishFields } from '../payments/simulate/schema.ts';
import { plannedScript } from '../payments/simulate/script-view.ts';
import { type Outcome, outcomes } from '../rails/simulated/scenarios.ts';
import type { CheckoutPayment } from './checkout-payment.ts';

type Fields = Record<string, unknown>;

/** What was chosen in the form that combines outcomes and was refused: the page shows it again. */
export type Tried = {
  outcomes: Outcome[];
  /** Both as they were typed. */
  amount: string;
  delaySeconds: string;
};

// More than any that is taken has; the rest of a longer one says nothing new.
const maxTyped = 40;

/** What a query or a form carries of it, bounded; null where that is nothing. */
export function triedOf({ outcome, amount, delay_seconds }: Fields): Tried | null {
  const named = [outcome].flat();
  const tried = {
    outcomes: outcomes.filter((known) => named.includes(known)),
    amount: typedOf(amount),
    delaySeconds: typedOf(delay_seconds),
  };
  return tried.outcomes.length > 0 || tried.amount !== '' || tried.delaySeconds !== '' ? tried : null;
}

function typedOf(value: unknown): string {
  return typeof value === 'string' && isCleanText(value) ? value.slice(0, maxTyped) : '';
}

/** The same as parameters of the page's address. */
export function triedQuery({ outcomes: chosen, amount, delaySeconds }: Tried): [string, string][] {
  return [
    ...chosen.map((outcome): [string, string] => ['outcome', outcome]),
    ...(amount === '' ? [] : [['amount', amount] satisfies [string, string]]),
    ...(delaySeconds === '' ? [] : [['delay_seconds', delaySeconds] satisfies [string, string]]),
  ];
}

/** What is to be played, from a form whose empty fields say nothing: without any outcome the payment succeeds. */
export function wishFields({ outcome, amount, delay_seconds }: Fields): Fields {
  const named = [outcome].flat().filter((each) => each !== '' && each !== undefined);
  return {
    outcome: named.length === 0 ? 'success' : named,
    ...(amount === '' ? {} : { amount }),
    ...(delay_seconds === '' ? {} : { delay_seconds }),
  };
}

/**
 * The API's reason why what was tried cannot be played to the payment as it stands; null where it can. It is judged
 * anew, so that an address cannot make the page say what the gateway does not.
 */
export async function whyNotPlayable(
  reader: Reader,
  deps: Parameters<typeof plannedScript>[1],
  { reference, integration, mode }: CheckoutPayment,
  { outcomes: outcome, amount, delaySeconds: delay_seconds }: Tried,
): Promise<string | null> {
  try {
    const wish = readWishFields(wishFields({ outcome, amount, delay_seconds }));
    const owner = { integrationId: integration.id as IntegrationId, mode };
    const payment = await findOwnPayment(reader, owner, reference);
    await plannedScript(reader, deps, payment, wish);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
