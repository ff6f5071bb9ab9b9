import type { PaymentDestination } from './api-payments.ts';
import { type AgreedDestination, destinationAddress } from './destination-address.ts';
import { DestinationError, type DestinationRefusal } from './errors.ts';

/** What `verifyDestination` needs. */
export type VerifyDestinationInput = {
  /** `PaymentData.id`. */
  paymentId: string;
  /** One of the `items` of `payments.destinations`, or the address alone, as a page shows it. */
  destination: Pick<PaymentDestination, 'address'> & Partial<PaymentDestination>;
  /** What you know, and not what the gateway answers. */
  agreed: AgreedDestination;
};

type Part = [reason: DestinationRefusal, name: string, agreed: unknown, answered: unknown];

/**
 * Verifies that money sent to an address of a payment can go nowhere but where you agreed with the host, and returns true
 * (contract.md#direct). The address is computed anew. Of the answer nothing is believed: its other fields only tell what differs.
 * @throws DestinationError when it is another address: do not send the customer to it.
 */
export function verifyDestination({ paymentId, destination, agreed }: VerifyDestinationInput): true {
  const expected = destinationAddress(paymentId, agreed);
  if (`${destination.address}`.toLowerCase() === expected.toLowerCase()) return true;
  const parts: Part[] =
    'treasury' in agreed
      ? [
          ['other_settlement', 'settlement', 'balance', destination.settlement],
          ['other_treasury', 'treasury', agreed.treasury, destination.destination],
        ]
      : [
          ['other_settlement', 'settlement', 'direct', destination.settlement],
          ['other_merchant', 'merchant', agreed.merchant, destination.merchant],
          ['other_host', 'host', agreed.host, destination.host],
          ['other_basis_points', 'basis points', agreed.basisPoints, destination.basis_points],
        ];
  const wrong = parts.find(([, , one, other]) => (other ?? null) !== null && !isSame(one, other));
  const [reason, name, one, other] = wrong ?? ['other_address', 'address', expected, destination.address];
  throw new DestinationError(reason, `The ${name} should be ${one} and is ${other}`);
}

const isSame = (one: unknown, other: unknown): boolean => `${one}`.toLowerCase() === `${other}`.toLowerCase();
