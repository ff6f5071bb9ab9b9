import type { Call, Console } from '../../identity/console/console.ts';
import { transaction } from '../../kit/db/db.ts';
import { idempotencyKeyOf, sendAnswer } from '../../kit/http/http.ts';
import { replayOr } from '../../kit/http/idempotency.ts';
import type { CreatePayment } from '../create/create.ts';
import type { Creator } from '../create/draft.ts';
import { readCreateBody } from '../create/schema.ts';
import { CreatedData } from './answers.ts';
import { LinkData, LinkPage } from './link-answers.ts';
import { changeLink, type LinkDeps, linkPage, makeLink } from './link-routes.ts';

const creatorOf = ({ integration, owner }: Pick<Call<'mode'>, 'integration' | 'owner'>): Creator => ({
  integration,
  mode: owner.mode,
});

/** Payments and payment links that a person makes in the dashboard. */
export function linkConsoleRoutes(
  dashboard: Console,
  deps: LinkDeps & { createPayment: CreatePayment },
): void {
  const { db } = deps;

  dashboard.get('mode', '/payment-links', { may: 'read', answer: LinkPage }, async (call) => ({
    message: 'Payment links',
    data: await linkPage(deps, creatorOf(call), call.query),
  }));

  dashboard.write(
    'POST',
    'mode',
    '/payment-links',
    { may: 'create payments', answer: LinkData },
    async (tx, call) => ({
      message: 'Payment link created',
      ...(await makeLink(tx, deps, creatorOf(call), call.body)),
    }),
  );

  dashboard.write(
    'PATCH',
    'mode',
    '/payment-links/:id',
    { may: 'create payments', answer: LinkData },
    async (tx, call) => ({
      message: 'Payment link updated',
      ...(await changeLink(tx, deps, creatorOf(call), { id: call.params.id ?? '', body: call.body })),
    }),
  );

  // Made with all that come together, and so in a transaction of its own.
  dashboard.act(
    'POST',
    'mode',
    '/payments',
    { may: 'create payments', answer: CreatedData },
    async (call, record) => {
      const key = idempotencyKeyOf(call.request, `console ${call.session.account.id} ${call.request.url}`);
      const answer = await replayOr(db, key, () =>
        deps.createPayment(creatorOf(call), readCreateBody(call.body), key),
      );
      if (!answer.replayed) {
        const { data } = JSON.parse(answer.body) as {
          data: { PaymentData: { id: string; payment_reference: string } };
        };
        const { id, payment_reference: reference } = data.PaymentData;
        const subject = { kind: 'payment', id };
        await transaction(db, (tx) =>
          record(tx, { action: 'made a payment', subject, after: { reference } }),
        );
      }
      sendAnswer(call.reply, answer);
      return null;
    },
  );
}
