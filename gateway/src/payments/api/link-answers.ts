import { type Static, Type } from 'typebox';
import { Decimal, Id, named, orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { currencies } from '../../money/assets.ts';
import { linkStatuses } from '../links/link.ts';

const text = orNull(Type.String());

export const LinkData = Type.Object(
  {
    id: Id,
    url: Type.String({ format: 'uri', description: 'Where customers pay.' }),
    status: Type.Enum([...linkStatuses], { description: 'Only an active link takes payments.' }),
    title: Type.String(),
    description: text,
    currency: Type.String({ description: 'That of the amounts: a coin, or the currency of the price.' }),
    amount: orNull(Decimal),
    paid_currency: Type.Union([Type.Enum(currencies), Type.Null()], {
      description: 'The coin that pays. Null: each customer of the price chooses it.',
    }),
    currencies: Type.Union([Type.Array(Type.Enum(currencies)), Type.Null()], {
      description:
        'What customers of the price choose from. Null: all that is offered, or there is no choice.',
    }),
    min_amount: orNull(Decimal),
    max_amount: orNull(Decimal),
    one_use: Type.Boolean(),
    success_url: text,
    expires_at: orNull(Time),
    uses: Type.Integer({ description: 'How many of its payments were completed.' }),
    revenue: Type.String({
      description: 'The amounts of its completed payments, as a plain decimal number.',
    }),
    created_at: Time,
  },
  named('PaymentLink', 'A payment link. Amounts are decimal strings in `currency`.'),
);
export type LinkData = Static<typeof LinkData>;
export const LinkPage = pageSchema(LinkData);
