import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { apiKeyOf, type Guards } from '../../identity/keys/guards.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Database } from '../../kit/db/db.ts';
import { answers, named, orNull } from '../../kit/http/answers.ts';
import { envelope, sendEnvelope } from '../../kit/http/http.ts';
import type { Derivation } from '../../rails/direct.ts';
import type { Rail } from '../../rails/rail.ts';
import { findOwnPayment } from '../read/read.ts';

const text = Type.String();
const ofDirect = 'null where the money is credited to the balance';
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
  },
  named(
    'PaymentDestination',
    `An address of a payment, and by what it can be recomputed. \`splitter\` to \`basis_points\` are ${ofDirect}.`,
  ),
);

const ReferenceParams = Type.Object({ payment_reference: Type.String() });

export type DestinationRouteDeps = { db: Database; guards: Guards; rail: Rail };

/** By what anybody can recompute where the money of a payment goes (contract.md#direct). */
export function destinationRoutes(app: FastifyInstance, { db, guards, rail }: DestinationRouteDeps): void {
  app.get<{ Params: Type.Static<typeof ReferenceParams> }>(
    '/payments/:payment_reference/destinations',
    {
      onRequest: guards.key('read payments'),
      schema: {
        tags: ['Payments'],
        operationId: 'getPaymentDestinations',
        sdk: 'payments.destinations({payment_reference})',
        summary: 'By what the addresses of a payment follow',
        description:
          "The payment's addresses on EVM chains. Each follows from factory, init code hash and salt (CREATE2), and the salt from the payment's id and the destination; that of a direct settlement from your address, the host's and the basis points. So you can check that money sent there can go nowhere else.",
        params: ReferenceParams,
        response: answers(Type.Object({ items: Type.Array(Destination) })),
      },
    },
    async (request, reply) => {
      const owner = ownerOf(apiKeyOf(request));
      const { id, currency } = await findOwnPayment(db, owner, request.params.payment_reference);
      const found = currency === null ? [] : ((await rail.derivations?.(db, { id, currency })) ?? []);
      return sendEnvelope(reply, envelope('Payment destinations', { items: found.map(destinationView) }));
    },
  );
}

function destinationView({ chainId: chain_id, initCodeHash: init_code_hash, split, ...rest }: Derivation) {
  const { merchant = null, host = null, basisPoints: basis_points = null } = split ?? {};
  const settlement = split ? ('direct' as const) : ('balance' as const);
  const splitter = split ? rest.destination : null;
  return { ...rest, chain_id, settlement, init_code_hash, splitter, merchant, host, basis_points };
}
