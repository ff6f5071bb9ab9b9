import type { Console } from '../identity/console/console.ts';
import { identityErrors } from '../identity/errors.ts';
import type { Mode } from '../identity/integration.ts';
import { transaction } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import { envelope, idempotencyKeyOf, sendAnswer } from '../kit/http/http.ts';
import { once } from '../kit/http/idempotency.ts';
import { checkStarted } from '../webhooks/api/changes.ts';
import type { WebhookConsoleDeps } from '../webhooks/api/own-write.ts';
import { type Endpoint, findEndpoint } from '../webhooks/endpoints/endpoints.ts';
import type { ReceiverChecks } from './checks.ts';
import { beginCheck, type CheckId, checkView, findCheck, listChecks } from './store.ts';

/** Receiver checks in the dashboard. */
export function receiverCheckConsoleRoutes(
  dashboard: Console,
  { db, checks, now }: WebhookConsoleDeps & { checks: ReceiverChecks },
): void {
  const manage = { may: 'manage webhooks' } as const;

  dashboard.act('POST', 'mode', '/webhooks/:endpoint/checks', manage, async (call, record) => {
    const { owner, params, request, session } = call;
    assertTest(owner.mode);
    const key = idempotencyKeyOf(request, `console ${session.account.id} POST ${request.url}`);
    let begun: { check: CheckId; endpoint: Endpoint } | undefined;
    const answer = await transaction(db, (tx) =>
      once(tx, key, now(), async () => {
        const endpoint = await findEndpoint(tx, owner, params.endpoint!);
        const check = await beginCheck(tx, endpoint, now());
        await record(tx, checkStarted(endpoint, check.id));
        begun = { check: check.id, endpoint };
        return envelope('Receiver check started', checkView(check));
      }),
    );
    if (begun) checks.start(begun.check, begun.endpoint, owner);
    sendAnswer(call.reply, answer);
    return null;
  });

  dashboard.get('mode', '/webhooks/:endpoint/checks', { may: 'read' }, async ({ owner, params }) => {
    assertTest(owner.mode);
    const endpoint = await findEndpoint(db, owner, params.endpoint!);
    const items = (await listChecks(db, endpoint)).map(checkView);
    return { message: 'Receiver checks', data: { items, next_cursor: null } };
  });

  dashboard.get('mode', '/webhooks/:endpoint/checks/:check', { may: 'read' }, async ({ owner, params }) => {
    assertTest(owner.mode);
    const endpoint = await findEndpoint(db, owner, params.endpoint!);
    return { message: 'Receiver check', data: checkView(await findCheck(db, endpoint, params.check!)) };
  });
}

function assertTest(mode: Mode): void {
  if (mode !== 'test') throw refuse(identityErrors.test_mode_only);
}
