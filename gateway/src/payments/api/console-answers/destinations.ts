import { type Static, Type } from 'typebox';
import { named, orNull } from '../../../kit/http/answers.ts';

// What the API and the dashboard answer on the addresses of a payment.

const text = Type.String();
const ofDirect = 'null where the money is credited to the balance';
const Request = Type.Object(
  {
    amount: Type.String({ description: 'All that is due, a decimal without zeros at its end.' }),
    reference: text,
    deadline: Type.Integer({
      description: 'Unix time in seconds. It begins anew when the customer chooses.',
    }),
    words: Type.String({ description: 'Four words that the page shows beside the address.' }),
    signer: Type.String({ description: 'The address of the key of the installation for requests.' }),
    signature: Type.String({
      description: 'Of that key, over address, asset, amount, reference and deadline (EIP-712).',
    }),
  },
  named('PaymentRequest', 'What the customer is asked to send to an address, signed by the installation.'),
);
const Destination = Type.Object(
  {
    asset: text,
    chain_id: Type.Integer(),
    address: text,
    settlement: Type.Enum(['balance', 'direct']),
    factory: text,
    init_code_hash: text,
    salt: text,
    destination: Type.String({ description: 'Where the factory moves what comes there.' }),
    splitter: orNull(text),
    merchant: orNull(text),
    host: orNull(text),
    basis_points: orNull(Type.Integer()),
    request: Request,
  },
  named(
    'PaymentDestination',
    `An address of a payment, and by what it can be recomputed. \`splitter\` to \`basis_points\` are ${ofDirect}.`,
  ),
);

export const PaymentDestinations = Type.Object({ items: Type.Array(Destination) });
export type PaymentDestinations = Static<typeof PaymentDestinations>;
