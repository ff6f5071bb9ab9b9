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

/** What a customer chose in the form that combines outcomes. The page shows it again when it was refused. */
export type MixChoice = {
  outcomes: Outcome[];
  /** This field and the next one hold the text as typed. */
  amount: string;
  delaySeconds: string;
};

// Longer than any valid input; the rest is cut off.
const maxTyped = 40;

/** Reads the choice from a query or a form; null when all of its fields are empty. */
export function mixChoiceOf({ outcome, amount, delay_seconds }: Fields): MixChoice | null {
  const named = [outcome].flat();
  const choice = {
    outcomes: outcomes.filter((known) => named.includes(known)),
    amount: typedOf(amount),
    delaySeconds: typedOf(delay_seconds),
  };
  return choice.outcomes.length > 0 || choice.amount !== '' || choice.delaySeconds !== '' ? choice : null;
}

function typedOf(value: unknown): string {
  return typeof value === 'string' && isCleanText(value) ? value.slice(0, maxTyped) : '';
}

/** The choice as query parameters of the page. */
export function mixChoiceQuery({ outcomes: chosen, amount, delaySeconds }: MixChoice): [string, string][] {
  return [
    ...chosen.map((outcome): [string, string] => ['outcome', outcome]),
    ...(amount === '' ? [] : [['amount', amount] satisfies [string, string]]),
    ...(delaySeconds === '' ? [] : [['delay_seconds', delaySeconds] satisfies [string, string]]),
  ];
}

/** The fields of a simulation from a form. Empty fields are left out; without an outcome the payment succeeds. */
export function wishFields({ outcome, amount, delay_seconds }: Fields): Fields {
  const named = [outcome].flat().filter((each) => each !== '' && each !== undefined);
  return {
    outcome: named.length === 0 ? 'success' : named,
    ...(amount === '' ? {} : { amount }),
    ...(delay_seconds === '' ? {} : { delay_seconds }),
  };
}

/**
 * Why the API refuses to simulate this choice in the payment's current status; null when it does not. The reason is
 * computed here and not taken from the address, so that a forged address cannot put text on the page.
 */
export async function refusalOf(
  reader: Reader,
  deps: Parameters<typeof plannedScript>[1],
  { reference, integration, mode }: CheckoutPayment,
  { outcomes: outcome, amount, delaySeconds: delay_seconds }: MixChoice,
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
