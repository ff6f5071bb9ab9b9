import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { type FieldJudge, invalid, queryReader } from '../../kit/http/fields.ts';
import type { Assets } from '../../money/assets.ts';
import type { HostParts } from '../../rails/direct.ts';
import { webhookOverview } from '../../webhooks/endpoints/overview.ts';
import { noteKeyCopied, onboardingSteps } from '../read/onboarding.ts';
import { operatorOverview } from '../read/operator-overview.ts';
import { paymentOverview } from '../read/overview.ts';
import { isZone, lastDays } from '../read/period.ts';
import { Onboarding, OperatorOverview, Overview } from './console-answers/overview.ts';

const spans = [7, 30, 90];
const defaultDays = 30;

const judgeDays: FieldJudge = (value) =>
  value === undefined || spans.includes(value as number)
    ? null
    : invalid('days', `must be one of ${spans.join(', ')}`);

const judgeZone: FieldJudge = (value) =>
  value === undefined || (typeof value === 'string' && isZone(value))
    ? null
    : invalid('zone', 'must be a time zone such as Europe/Berlin');

const OverviewQuery = Type.Object({
  days: Type.Optional(Type.Integer()),
  /** Whose days; `UTC` when absent. */
  zone: Type.Optional(Type.String()),
});
const readOverviewQuery = queryReader(OverviewQuery, { days: judgeDays, zone: judgeZone });

const OperatorQuery = Type.Object({ mode: Type.Optional(Type.Enum(['test', 'live'])) });
const readOperatorQuery = queryReader(OperatorQuery);

export type OverviewDeps = { db: Database; assets: Assets; hostParts: HostParts; now: Clock };

/** How business goes, for a merchant and for an operator, and the first steps of an integration. */
export function overviewConsoleRoutes(
  dashboard: Console,
  { db, assets, hostParts, now }: OverviewDeps,
): void {
  dashboard.getAged(
    'mode',
    '/overview',
    { may: 'read', answer: Overview },
    async ({ aged, owner, query }) => {
      const { days = defaultDays, zone = 'UTC' } = readOverviewQuery(query);
      const moment = now();
      const [payments, webhooks] = await Promise.all([
        paymentOverview(aged, owner, lastDays(days, zone, moment), moment),
        webhookOverview(aged, owner),
      ]);
      return { message: 'Overview', data: { days, zone, ...payments, webhooks } };
    },
  );

  dashboard.getAged('operator', '/overview', { answer: OperatorOverview }, async ({ aged, query }) => {
    const { mode = 'live' } = readOperatorQuery(query);
    const data = await operatorOverview(aged, { assets, hostParts }, { mode, days: defaultDays }, now());
    return { message: 'Overview of the installation', data };
  });

  dashboard.get(
    'mode',
    '/onboarding',
    { may: 'read', answer: Onboarding },
    async ({ owner, integration }) => {
      const steps = await onboardingSteps(db, owner, integration);
      return { message: 'First steps', data: { steps, done: steps.every(({ done }) => done) } };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/onboarding/key-copied',
    { may: 'manage keys', answer: Nothing },
    async (tx, { owner }) => {
      const isFirst = await noteKeyCopied(tx, owner, now());
      const subject = { kind: 'integration', id: owner.integrationId };
      const change = isFirst ? { action: `copied the ${owner.mode} key first`, subject } : null;
      return { message: 'Noted', data: null, change };
    },
  );
}
