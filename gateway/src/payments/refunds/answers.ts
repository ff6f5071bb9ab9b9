import { Type } from 'typebox';
import { Decimal, named, orNull, Time } from '../../kit/http/answers.ts';
import { refundStatuses } from '../settlement/refund.ts';
import { PreparedTransfer } from './prepared-transfer.ts';

const text = orNull(Type.String());

/** A refund (contract.md#refunds). */
export const RefundData = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    payment_reference: Type.String(),
    status: Type.Enum([...refundStatuses]),
    asset: Type.String(),
    amount: Decimal,
    fee_returned: Type.String({ description: 'What of it comes out of the fee.' }),
    to: text,
    memo: text,
    reason: text,
    claim_url: orNull(
      Type.String({
        format: 'uri',
        description:
          'Where the customer says where it goes, while it waits for that; null for a key that may neither create payments nor make refunds.',
      }),
    ),
    transfer: orNull(PreparedTransfer),
    transaction: text,
    failure: orNull(Type.String({ description: 'Why it could not be sent, or what holds it up.' })),
    created_at: Time,
    completed_at: orNull(Time),
  },
  named(
    'Refund',
    'A refund of a payment; amounts are decimal strings in `asset`. `claim_url` leads the customer to where they say where it goes.',
  ),
);
