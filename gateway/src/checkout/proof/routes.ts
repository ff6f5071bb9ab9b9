import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SignedStatement } from '../../../../web/proof/statement.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Clock } from '../../kit/clock.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { requestSigner } from '../../rails/evm/requests/sign-request.ts';
import type { CheckoutAssets } from '../assets.ts';
import { proofPolicy } from '../headers.ts';
import { pickLocale } from '../locale.ts';
import { asksLanguage } from '../parts/languages.ts';
import { renderNotFound } from '../views/render.ts';
import { renderProof, renderProofs } from './view.ts';

export type ProofPageDeps = {
  /** The published statements: one by its id, and the newest. */
  proofs: {
    find(id: string): Promise<SignedStatement | null>;
    list(limit: number): Promise<SignedStatement[]>;
  };
  guards: Guards;
  seal: Seal;
  now: Clock;
};

/** How many of the newest statements are listed. */
const mostListed = 52;

/** The published statements of what is owed and held, for anybody (contract.md#proof). */
export async function proofRoutes(
  app: FastifyInstance,
  { proofs, guards, seal, now }: ProofPageDeps,
  { payPath, assets }: { payPath: string; assets: CheckoutAssets },
): Promise<void> {
  await app.register(async (page) => {
    page.addHook('onRequest', guards.anyone);
    page.addHook('onRequest', async (_request, reply) => {
      void reply.header('content-security-policy', proofPolicy);
    });
    const common = (request: FastifyRequest, reply: FastifyReply) => {
      void reply.type('text/html; charset=utf-8').header('vary', 'accept-language');
      const { lang } = request.query as Record<string, unknown>;
      const locale = pickLocale(
        typeof lang === 'string' ? lang : undefined,
        request.headers['accept-language'],
      );
      const styled = { ...assets, style: assets.proofStyle };
      return { locale, assets: styled, asksLanguage: asksLanguage(request), now: now() };
    };
    page.get('/proof', { schema: { hide: true } }, async (request, reply) =>
      reply.send(
        renderProofs(common(request, reply), await proofs.list(mostListed), await requestSigner(seal)),
      ),
    );
    page.get<{ Params: { name: string } }>(
      '/proof/:name',
      { schema: { hide: true } },
      async (request, reply) => {
        const [id = '', extension] = request.params.name.split('.');
        const found = isUuid(id) && (extension ?? 'json') === 'json' ? await proofs.find(id) : null;
        if (!found) return reply.code(404).send(renderNotFound({ ...common(request, reply), payPath }));
        if (extension === undefined) return reply.send(renderProof(common(request, reply), found));
        // A page of another origin may check it too.
        void reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8');
        return reply.send(JSON.stringify(found));
      },
    );
  });
}
