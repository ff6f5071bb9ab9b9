import type { Currency, Unusual } from '../../../../../gateway/src/payments/api/console-answers/payments.ts';
import { choiceParam, choicesParam, dayParam, given, type RawSearch, textParam } from '../../api/search.ts';
import { t } from '../../texts/t.ts';
import { paymentStatuses } from '../../ui/display/status-badge.tsx';

export type { Unusual };

export const currencies = ['PI', 'USDC', 'USDT', 'CSK'] as const satisfies readonly Currency[];

export const unusuals = ['late', 'part_paid', 'overpaid'] as const satisfies readonly Unusual[];
export const unusualWords: Record<Unusual, string> = {
  late: t('Late'),
  part_paid: t('Part paid'),
  overpaid: t('Overpaid'),
};

export type PaymentsSearch = ReturnType<typeof readPaymentsSearch>;

/** Reads what the address of the list says: its filters, its page, and what is open: a payment, or the form for a new one. */
export function readPaymentsSearch(raw: RawSearch) {
  return given({
    q: textParam(raw.q),
    status: choicesParam(raw.status, paymentStatuses),
    currency: currenciesParam(raw.currency),
    unusual: choiceParam(raw.unusual, unusuals),
    min: amountParam(raw.min),
    max: amountParam(raw.max),
    from: dayParam(raw.from),
    to: dayParam(raw.to),
    customer: textParam(raw.customer, 255),
    link: textParam(raw.link, 36),
    cursor: textParam(raw.cursor),
    open: textParam(raw.open, 100),
    make: choiceParam(raw.make, ['payment'] as const),
  });
}

/** A coin or the ISO 4217 code of a price; other text is undefined. */
export function currencyParam(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Z]{2,4}$/.test(value) ? value : undefined;
}

function currenciesParam(value: unknown): string[] | undefined {
  const named = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  const found = named.flatMap((each) => currencyParam(each) ?? []);
  return found.length > 0 ? found : undefined;
}

/** A plain decimal such as `12.50`. */
export const amountPattern = '\\d{1,15}(\\.\\d{1,18})?';

function amountParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text !== undefined && new RegExp(`^${amountPattern}$`).test(text) ? text : undefined;
}
