import type { Currency, FeePayer, PaymentInput, Price } from '@florin/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { currencies } from './words.ts';

const texts = [
  'customer_email',
  'customer_reference',
  'success_url',
  'failure_url',
  'payment_reference',
  'meta_data',
  'fee_payer',
  'payment_note',
] as const;

const fields = ['amount', 'currency', 'item_list', ...texts];

/** The fields of a payment, given as `name=value`; missing fields are taken from `fallback`. */
export function readPaymentInput(given: readonly string[], fallback: PaymentInput): PaymentInput {
  const input: Record<string, unknown> = { ...fallback };
  for (const [name, value] of readFields(given, 'payment', fields)) input[name] = readField(name, value);
  return input as PaymentInput;
}

/** Fields given as `name=value`. Throws for an unknown field. */
export function readFields(
  given: readonly string[],
  what: string,
  names: readonly string[],
): [name: string, value: string][] {
  return given.map((each) => {
    const at = each.indexOf('=');
    const name = each.slice(0, at);
    if (at < 1) throw new Error(`${each} must be name=value, such as amount=25`);
    if (!names.includes(name)) throw new Error(`a ${what} has no ${name}; it has ${names.join(', ')}`);
    return [name, each.slice(at + 1)];
  });
}

function readField(name: string, value: string): unknown {
  if (name === 'amount') return readAmount(value);
  if (name === 'item_list') return readJson(value);
  return value;
}

/** A decimal as a JSON number; the gateway checks whether it fits the currency. */
export function readAmount(text: string): number {
  if (!/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) {
    throw new InvalidArgumentError('The amount must be a decimal such as 25 or 12.50.');
  }
  return JSON.parse(text) as number;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('item_list must be JSON such as {"items":[{"name":"Pen","price":5,"quantity":2}]}');
  }
}

/** The options of `payments create`, named as the fields are. */
export type CreateOptions = {
  amount?: number;
  price?: Price;
  currency?: Currency;
  currencies?: Currency[];
  customerEmail?: string;
  customerReference?: string;
  successUrl?: string;
  failureUrl?: string;
  paymentReference?: string;
  metaData?: string;
  feePayer?: FeePayer;
  paymentNote?: string;
  itemList?: string;
};

export function paymentInputOf(options: CreateOptions): PaymentInput {
  const given = texts.flatMap((name) => {
    const value = options[camelCase(name) as keyof CreateOptions];
    return value === undefined ? [] : [`${name}=${value}`];
  });
  if (options.itemList !== undefined) given.push(`item_list=${options.itemList}`);
  return readPaymentInput(given, { ...askedOf(options), payment_type: 'deposit' });
}

export type AskOptions = Pick<CreateOptions, 'amount' | 'price' | 'currency' | 'currencies'>;

/** What is asked: an amount of a currency, or a price. */
export function askedOf({ amount, price, currency, currencies }: AskOptions): AskOptions {
  return {
    ...(amount !== undefined && { amount }),
    ...(price !== undefined && { price }),
    ...(currency !== undefined && { currency }),
    ...(currencies !== undefined && { currencies }),
  };
}

/** Adds the options that ask a price, and of the currency in which it is paid; `who` may choose it. */
export function withPrice(command: Command, who: string): Command {
  return command
    .addOption(
      new Option('--currency <currency>', 'currency of the amount, or in which a price is paid').choices(
        currencies,
      ),
    )
    .addOption(
      new Option('--price <price>', 'a price such as "49.90 EUR", in place of the amount')
        .argParser(readPrice)
        .conflicts('amount'),
    )
    .option('--currencies <list>', `what ${who} may pay a price in, such as PI,USDC`, readCurrencies);
}

/** A price such as `49.90 EUR`; the gateway checks whether the amount fits the currency. */
function readPrice(text: string): Price {
  const [, amount, currency] = /^(\d+(?:\.\d+)?) ?([A-Z]{3})$/.exec(text) ?? [];
  if (amount === undefined || currency === undefined) {
    throw new InvalidArgumentError('The price must be an amount with its currency, such as "49.90 EUR".');
  }
  return { amount, currency };
}

/** Currencies such as `PI,USDC`. */
function readCurrencies(text: string): Currency[] {
  const names = text.split(',');
  const unknown = names.find((name) => !currencies.some((known) => known === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`They must be some of ${currencies.join(', ')}.`);
  return names as Currency[];
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
