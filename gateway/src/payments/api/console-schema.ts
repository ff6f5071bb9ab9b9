import { Type } from 'typebox';
import { endParser, type FieldJudge, invalid, queryReader } from '../../kit/http/fields.ts';
import { pageFields } from '../../kit/http/page-query.ts';
import { uuidPattern } from '../../kit/ids.ts';
import { currencies } from '../../money/assets.ts';
import { priceCurrencies } from '../../money/price-currencies.ts';
import { maxTermLength } from '../create/meta-terms.ts';
import { statuses } from '../create/schema.ts';
import { type PaymentStatus, unusuals } from '../payment/payment.ts';
import { exportFormats } from '../read/export.ts';
import type { PaymentFilter } from '../read/filter.ts';

const text = (maxLength: number) => Type.Optional(Type.String({ format: 'text', maxLength }));
const amount = Type.Optional(Type.String());
const moment = Type.Optional(Type.String({ format: 'date-time' }));

const uuid = uuidPattern.source.replace(/^\^|\$$/g, '');

const filterFields = {
  /** Several are separated by commas. */
  status: Type.Optional(Type.String()),
  currency: Type.Optional(Type.String()),
  min_amount: amount,
  max_amount: amount,
  from: moment,
  to: moment,
  customer: text(255),
  link: Type.Optional(Type.String({ pattern: uuidPattern.source })),
  unusual: Type.Optional(Type.Enum([...unusuals])),
  /** Ids of payments, separated by commas. */
  ids: Type.Optional(Type.String({ pattern: `^${uuid}(?:,${uuid}){0,99}$` })),
  q: text(maxTermLength),
};
const FilterQuery = Type.Object(filterFields);
type FilterQuery = Type.Static<typeof FilterQuery>;

/** `a,b`, each of them one of `names`. */
function someOf(field: string, names: readonly string[]): FieldJudge {
  return (value) => {
    if (value === undefined) return null;
    const isGood = typeof value === 'string' && value.split(',').every((name) => names.includes(name));
    return isGood ? null : invalid(field, `must be some of ${names.join(', ')}, separated by commas`);
  };
}

function plainDecimal(field: string): FieldJudge {
  return (value) =>
    value === undefined || (typeof value === 'string' && /^\d{1,15}(?:\.\d{1,18})?$/.test(value))
      ? null
      : invalid(field, 'must be a plain decimal number');
}

const judges = {
  status: someOf('status', statuses),
  currency: someOf('currency', [...currencies, ...priceCurrencies]),
  min_amount: plainDecimal('min_amount'),
  max_amount: plainDecimal('max_amount'),
};
const parsers = { to: endParser('to') };

const PageQuery = Type.Object({
  ...filterFields,
  ...pageFields,
});
export const readPaymentPageQuery = queryReader(PageQuery, judges, parsers);

export const readTotalsQuery = queryReader(FilterQuery, judges, parsers);

/** What is searched for in both modes at once. */
export const readFindQuery = queryReader(
  Type.Object({ q: Type.String({ format: 'text', minLength: 1, maxLength: maxTermLength }) }),
);

const ExportQuery = Type.Object({ ...filterFields, format: Type.Enum([...exportFormats]) });
export const readExportQuery = queryReader(ExportQuery, judges, parsers);

/** The filter that a query names. */
export function filterOf(query: FilterQuery): PaymentFilter {
  return {
    statuses: query.status?.split(',') as PaymentStatus[] | undefined,
    currencies: query.currency?.split(',') as PaymentFilter['currencies'],
    minAmount: query.min_amount,
    maxAmount: query.max_amount,
    from: query.from,
    to: query.to,
    customer: query.customer,
    linkId: query.link,
    unusual: query.unusual,
    ids: query.ids?.split(','),
    search: query.q,
  };
}
