import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import { apiKeyOf, type Guards } from '../../identity/keys/guards.ts';
import { type Owner, ownerOf } from '../../identity/owner.ts';
import type { Database } from '../../kit/db/db.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, sendEnvelope } from '../../kit/http/http.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Derivation } from '../../rails/direct.ts';
import { requestSigner, signRequest } from '../../rails/evm/requests/sign-request.ts';
import type { Rail } from '../../rails/rail.ts';
import { requestOf } from '../payment/asked.ts';
import { isCharged } from '../payment/payment.ts';
import { findOwnPayment } from '../read/read.ts';
import { PaymentDestinations } from './console-answers/destinations.ts';

const ReferenceParams = Type.Object({ payment_reference: Type.String() });

export type DestinationRouteDeps = { db: Database; guards: Guards; rail: Rail; seal: Seal };
type ReadDeps = Omit<DestinationRouteDeps, 'guards'>;

/** By what anybody can recompute where the money of a payment goes (contract.md#direct). */
export function destinationRoutes(app: FastifyInstance, deps: DestinationRouteDeps): void {
  app.get<{ Params: Type.Static<typeof ReferenceParams> }>(
    '/payments/:payment_reference/destinations',
    {
      onRequest: deps.guards.key('read payments'),
      schema: {
        tags: ['Payments'],
        operationId: 'getPaymentDestinations',
        sdk: 'payments.destinations({payment_reference})',
        summary: 'By what the addresses of a payment follow',
        description:
          "The payment's addresses on EVM chains. Each follows from factory, init code hash and salt (CREATE2), and the salt from the payment's id and the destination; that of a direct settlement from your address, the host's and the basis points. So you can check that money sent there can go nowhere else.",
        params: ReferenceParams,
        response: answers(PaymentDestinations),
      },
    },
    async (request, reply) => {
      const owner = ownerOf(apiKeyOf(request));
      const data = await destinationsOf(deps, owner, request.params.payment_reference);
      return sendEnvelope(reply, envelope('Payment destinations', data));
    },
  );
}

/** The same in the dashboard, whose page recomputes the addresses by what the merchant has set. */
export function destinationConsoleRoute(dashboard: Console, deps: ReadDeps): void {
  dashboard.get(
    'mode',
    '/payments/:reference/destinations',
    { may: 'read', answer: PaymentDestinations },
    async ({ owner, params }) => ({
      message: 'Payment destinations',
      data: await destinationsOf(deps, owner, params.reference ?? ''),
    }),
  );
}

async function destinationsOf(
  { db, rail, seal }: ReadDeps,
  owner: Owner,
  reference: string,
): Promise<PaymentDestinations> {
  const payment = await findOwnPayment(db, owner, reference);
  if (!isCharged(payment)) return { items: [] };
  const found = (await rail.derivations?.(db, payment)) ?? [];
  const signer = found.length > 0 ? await requestSigner(seal) : '';
  const items = found.map(async (each) => {
    const { request, words } = requestOf(payment, each);
    const { amount, reference, deadline } = request;
    const signature = await signRequest(seal, request);
    return { ...destinationView(each), request: { amount, reference, deadline, words, signer, signature } };
  });
  return { items: await Promise.all(items) };
}

function destinationView({ chainId: chain_id, initCodeHash: init_code_hash, split, ...rest }: Derivation) {
  const { merchant = null, host = null, basisPoints: basis_points = null } = split ?? {};
  const settlement = split ? ('direct' as const) : ('balance' as const);
  const splitter = split ? rest.destination : null;
  return { ...rest, chain_id, settlement, init_code_hash, splitter, merchant, host, basis_points };
}
