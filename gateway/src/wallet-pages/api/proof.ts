import type { FastifyInstance } from 'fastify';
import type { ProofPath, SignedStatement } from '../../../../web/proof/statement.ts';
import { identityErrors } from '../../identity/errors.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { proofView } from '../views/proof.ts';
import type { Frame, OwnExchange } from './frame.ts';

/** The published statements: the newest, and the path of a user in one. */
export type OwnProofs = {
  list(limit: number): Promise<SignedStatement[]>;
  pathOf(id: string, owner: { kind: 'user'; owner: string }): Promise<ProofPath | null>;
};

/** The newest statement of what is owed and held, and the user's own path in it; null where there is none. */
type Own = { signed: SignedStatement | null; path: ProofPath | null };

/** The page on which a user finds their balances in the newest proof statement (contract.md#proof). */
export function proofPages(app: FastifyInstance, frame: Frame, { proofs }: { proofs: OwnProofs }): void {
  async function ownOf({ session, context }: OwnExchange): Promise<Own> {
    const [signed = null] = context.mode === 'live' ? await proofs.list(1) : [];
    const owner = { kind: 'user', owner: session.user.id } as const;
    return { signed, path: signed && (await proofs.pathOf(signed.statement.id, owner)) };
  }

  frame.ownPage('proof', async (exchange) => {
    const { signed, path } = await ownOf(exchange);
    return proofView(exchange.context, signed, path);
  });

  app.get('/wallet/proof.json', { schema: { hide: true } }, async (request, reply) => {
    const exchange = await frame.exchangeOf(request, reply);
    const { session } = exchange;
    if (!session) throw refuse(identityErrors.not_signed_in);
    const { path } = await ownOf({ ...exchange, session });
    if (!path) throw refuse(kitErrors.not_found);
    void reply.header('content-disposition', 'attachment; filename="florin-proof-path.json"');
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(path));
  });
}
