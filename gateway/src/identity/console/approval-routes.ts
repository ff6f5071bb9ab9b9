import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader, invalid, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import type { IntegrationId } from '../integration.ts';
import {
  type ApprovalTask,
  type ApprovalTasks,
  acceptFee,
  approvalOf,
  type Decision,
  decideApproval,
  decisions,
  ownAddressTask,
  ownApprovalTasks,
  requestApproval,
  wordOf,
} from '../integrations/approval.ts';
import { findApplicant, listApplicants } from '../integrations/approval-queue.ts';
import { approvalLetter } from '../mail/letters.ts';
import { queueMail } from '../mail/mail.ts';
import { addressesOf } from '../merchants/people.ts';
import type { ActInput } from '../proposals/acts.ts';
import {
  Applicant,
  ApplicantDetail,
  ApplicantPage,
  ApprovalState,
  RequestedApproval,
  type Volume,
} from './answers/integrations.ts';
import type { Console } from './console.ts';

export type ApprovalConsoleDeps = {
  db: Database;
  /** The tasks of other slices before live mode. */
  tasks: ApprovalTasks[];
  /** Whether merchants are asked for an own address for live payments (contract.md#direct). */
  isDirectAsked: boolean;
  /** The volume of its recent payments. */
  volumeOf: (reader: Reader, id: IntegrationId, now: Date) => Promise<Volume[]>;
  /** The dashboard's address, for links in mails: `https://gateway.example/app/`. */
  dashboardUrl: string;
  now: Clock;
};

const approvals = ['none', 'requested', 'approved', 'rejected', 'suspended'] as const;
const readQueue = queryReader(
  Type.Object({
    status: Type.Optional(Type.Enum([...approvals])),
    ...pageFields,
  }),
);
const readReason = fieldReader(
  Type.Object({ reason: Type.Optional(Type.String({ format: 'text', maxLength: 1000 })) }),
);
const explained: readonly Decision[] = ['reject', 'suspend'];

/** Live mode: the open tasks and the merchant's request, and what operators see and decide. */
export function approvalConsoleRoutes(dashboard: Console, deps: ApprovalConsoleDeps): void {
  requestRoutes(dashboard, deps);
  applicantRoutes(dashboard, deps);
  decisionRoutes(dashboard, deps);
}

function requestRoutes(dashboard: Console, deps: ApprovalConsoleDeps): void {
  const { db, now } = deps;
  const may = { may: 'manage integrations' } as const;

  dashboard.get(
    'integration',
    '/approval',
    { may: 'read', answer: ApprovalState },
    async ({ integration: { id, fee } }) => ({
      message: 'Approval',
      data: { ...(await approvalOf(db, id)), fee, tasks: await tasksOf(deps, db, id) },
    }),
  );

  dashboard.write(
    'POST',
    'integration',
    '/approval/accept-fee',
    { ...may, answer: Nothing },
    async (tx, { integration }) => {
      const { id, fee } = integration;
      const isNew = await acceptFee(tx, id, now());
      const change = { action: 'accepted the fee', subject: { kind: 'integration', id }, after: { fee } };
      return { message: 'Fee accepted', data: null, change: isNew ? change : null };
    },
  );

  dashboard.write(
    'POST',
    'integration',
    '/approval/request',
    { ...may, answer: RequestedApproval },
    async (tx, { integration: { id } }) => {
      await requestApproval(tx, id, await tasksOf(deps, tx, id), now());
      const change = { action: 'asked for live mode', subject: { kind: 'integration', id } };
      return { message: 'Live mode requested', data: await approvalOf(tx, id), change };
    },
  );
}

function applicantRoutes(dashboard: Console, deps: ApprovalConsoleDeps): void {
  const { db, now } = deps;

  dashboard.get('operator', '/approvals', { answer: ApplicantPage }, async ({ query }) => {
    const { status = 'requested', ...page } = readQueue(query);
    const data = await pageById(page, (rows) => listApplicants(db, { status, ...rows }, deps.isDirectAsked));
    return { message: 'Approvals', data };
  });

  dashboard.get(
    'operator',
    '/approvals/:id',
    { answer: ApplicantDetail },
    async ({ params: { id = '' } }) => {
      const applicant = await applicantOf(db, id, deps);
      const [tasks, volume] = await Promise.all([
        tasksOf(deps, db, applicant.id),
        deps.volumeOf(db, applicant.id, now()),
      ]);
      return { message: 'Approval', data: { ...applicant, tasks, volume } };
    },
  );
}

function decisionRoutes(dashboard: Console, deps: ApprovalConsoleDeps): void {
  const { now } = deps;

  async function decide(tx: Tx, decision: Decision, { params: { id = '' }, body }: ActInput) {
    if (!isUuid(id)) throw refuse(kitErrors.not_found);
    const reason = readReason(body).reason?.trim() || null;
    if (reason === null && explained.includes(decision)) throw invalid('reason', 'is required');
    const { name, change } = await decideApproval(tx, { id, decision, reason }, now());
    const url = `${deps.dashboardUrl}i/${id}/live/settings?tab=live`;
    const letter = approvalLetter({ integration: name, word: wordOf(decision), reason, url });
    await queueMail(tx, { to: await addressesOf(tx, id, 'manage the team'), ...letter });
    return { message: `Integration ${wordOf(decision)}`, data: await applicantOf(tx, id, deps), change };
  }

  for (const decision of decisions) {
    const path = `/integrations/:id/${decision}`;
    const title = titles[decision];
    // One operator may stop live payments alone.
    if (title === undefined) {
      const terms = { fresh: true, answer: Applicant };
      dashboard.write('POST', 'operator', path, terms, (tx, call) => decide(tx, decision, call));
      continue;
    }
    dashboard.propose(
      'POST',
      path,
      { kind: `integration_${decision}`, title, answer: Applicant },
      (tx, input) => decide(tx, decision, input),
    );
  }
}

const titles: Partial<Record<Decision, string>> = {
  approve: 'Approve an integration for live payments',
  resume: 'Let an integration take live payments again',
};

async function applicantOf(reader: Reader, id: string, { isDirectAsked }: ApprovalConsoleDeps) {
  const applicant = isUuid(id) ? await findApplicant(reader, id, isDirectAsked) : null;
  if (!applicant) throw refuse(kitErrors.not_found);
  return applicant;
}

async function tasksOf(
  { tasks, isDirectAsked }: ApprovalConsoleDeps,
  reader: Reader,
  id: IntegrationId,
): Promise<ApprovalTask[]> {
  const found: ApprovalTask[] = [];
  // One after the other: a transaction takes one statement at a time.
  const own = isDirectAsked ? [ownApprovalTasks, ownAddressTask] : [ownApprovalTasks];
  for (const tasksIn of [...own, ...tasks]) found.push(...(await tasksIn(reader, id)));
  return found;
}
