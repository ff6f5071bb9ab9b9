import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import { termOf } from '../../payments/create/meta-terms.ts';
import type { InvoiceFilter, InvoiceStatus } from '../../payments/payment/invoice.ts';
import { unprocessable } from '../protocol/problems.ts';

type Query = Record<string, string | string[] | undefined>;

const defaultTake = 100;
const mostTaken = 1_000;
const mostSkipped = 1_000_000;
const statuses: Record<string, InvoiceStatus> = {
  new: 'New',
  processing: 'Processing',
  settled: 'Settled',
  expired: 'Expired',
  invalid: 'Invalid',
};

/** Reads which invoices are wanted; throws 422. Times are Unix seconds; a list is a name that is repeated. */
export function readInvoicesQuery(key: ApiKey, query: unknown): InvoiceFilter {
  const fields = (query ?? {}) as Query;
  const text = one(fields.textSearch)?.trim() ?? '';
  const from = timeOf(fields, 'startDate');
  const to = timeOf(fields, 'endDate');
  if (from && to && from > to) throw unprocessable('startDate', 'Must not be after endDate');
  return {
    orderIds: listOf(fields.orderId),
    statuses:
      listOf(fields.status)?.map((name) => {
        const status = statuses[name.toLowerCase()];
        if (!status) throw unprocessable('status', `${name} is not a status`);
        return status;
      }) ?? null,
    term: text === '' ? null : termOf(ownerOf(key), text),
    ...{ from, to },
    withArchived: one(fields.includeArchived)?.toLowerCase() === 'true',
    skip: countOf(fields, 'skip', mostSkipped) ?? 0,
    take: countOf(fields, 'take', mostTaken) ?? defaultTake,
  };
}

const one = (value: Query[string]): string | undefined => [value].flat()[0];

/** A name that is given once or more often, also as PHP writes lists. */
function listOf(value: Query[string]): string[] | null {
  const list = [value ?? []].flat().filter((each) => each !== '');
  return list.length === 0 ? null : list.slice(0, mostTaken);
}

function timeOf(fields: Query, name: string): Date | null {
  const value = one(fields[name]);
  if (value === undefined || value === '') return null;
  if (!/^\d{1,11}$/.test(value)) throw unprocessable(name, 'Must be Unix seconds');
  return new Date(Number.parseInt(value, 10) * 1000);
}

function countOf(fields: Query, name: string, most: number): number | null {
  const value = one(fields[name]);
  if (value === undefined || value === '') return null;
  if (!/^\d{1,9}$/.test(value)) throw unprocessable(name, 'Must be a whole number');
  return Math.min(Number.parseInt(value, 10), most);
}
