import { isDeepStrictEqual } from 'node:util';
import { after, type Clock } from '../../kit/clock.ts';
import { type Database, isUniqueViolation, rehearse, type Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Actor, recordChange } from '../audit/audit-log.ts';
import { identityErrors } from '../errors.ts';
import type { Act, ActInput, Asked, Done } from './acts.ts';
import { mailConcerned, mailOperators } from './mails.ts';
import { findProposal, type Proposal } from './read.ts';

export type ProposalDeps = {
  db: Database;
  baseUrl: string;
  /** Only this machine reaches the gateway: operators of the demo then act at once. */
  isLocal: boolean;
  now: Clock;
};

/** The acts that one operator may not do alone. */
export type Proposals = ProposalDeps & {
  acts: Map<string, Act>;
  register(act: Act): void;
};

const daySeconds = 24 * 3600;
/** How long an act of the only operator waits. */
const delaySeconds = daySeconds;
/** How long a proposal waits for another operator. */
const openSeconds = 7 * daySeconds;

export function createProposals(deps: ProposalDeps): Proposals {
  const acts = new Map<string, Act>();
  return {
    ...deps,
    acts,
    register(act) {
      if (acts.has(act.kind)) throw new Error(`The act ${act.kind} is there already`);
      acts.set(act.kind, act);
    },
  };
}

export type Operators = { count: number; areDemo: boolean };

/** How many operators there are, and whether all of them came with the demo. */
export async function operatorsOf(tx: Tx): Promise<Operators> {
  const { rows } = await tx.query<Operators>(
    `SELECT count(*)::int AS count, coalesce(bool_and(is_demo), false) AS "areDemo" FROM accounts WHERE is_operator`,
  );
  return rows[0] ?? { count: 0, areDemo: false };
}

/** The outcome of `doOrPropose`: done at once, or kept. */
export type Answer = { done: Done } | { kept: Proposal };

/**
 * Does an act at once if one operator may do it alone; else keeps it as a proposal. Throws what the act itself throws, and
 * `proposal_open` when the same was asked for already.
 */
export async function doOrPropose(
  tx: Tx,
  deps: Proposals,
  act: Act,
  { actor, ...input }: ActInput & { actor: Actor },
): Promise<Answer> {
  const accountId = actor.id ?? '';
  const asked: Asked = { ...input, by: { accountId, name: actor.name }, actor, isConfirmed: false };
  const operators = await operatorsOf(tx);
  if ((deps.isLocal && operators.areDemo) || act.isAtOnce?.(asked)) {
    const done = await act.perform(tx, asked);
    if (done.change) await recordChange(tx, actor, done.change, deps.now());
    return { done };
  }
  const tried = await rehearse(tx, () => act.perform(tx, asked));
  const { change } = tried;
  if (!change) return { done: tried };
  const now = deps.now();
  const id = newId(now);
  const dueAt = operators.count > 1 ? null : after(now, delaySeconds);
  const target = Object.values(input.params).join(' ') || null;
  // Without a target the act would make its subject, which does not exist yet.
  const subject = target === null ? { kind: 'act', id: act.kind } : change.subject;
  await tx
    .query(
      `INSERT INTO proposals (id, kind, input, target, subject_kind, subject_id, before, after, merchant_id,
         integration_id, asked_at, asked_by, asked_from, due_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
         coalesce($9::uuid, (SELECT merchant_id FROM integrations WHERE id = $10)), $10, $11, $12, $13, $14, $15)`,
      [
        ...[id, act.kind, { params: input.params, body: input.body ?? null }, target],
        ...[subject.kind, subject.id, change.before ?? null, change.after ?? null],
        ...[change.merchantId ?? null, change.integrationId ?? null],
        ...[now, accountId, actor.address, dueAt, after(now, openSeconds)],
      ],
    )
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'proposals_open') ? refuse(identityErrors.proposal_open) : error;
    });
  const kept = await proposalOf(tx, id);
  await recordStep(tx, deps, kept, { actor, action: 'asked for an act' });
  await mailOperators(tx, deps, kept, { step: dueAt === null ? 'waits' : 'delayed' });
  if (dueAt !== null) await mailConcerned(tx, deps, kept, { ...act, dueAt });
  return { kept };
}

/** Locks a proposal that is open. Throws `not_found` or `proposal_over`. */
export async function lockOpen(tx: Tx, id: string): Promise<Proposal> {
  await tx.query('SELECT FROM proposals WHERE id = $1 FOR UPDATE', [id]);
  const proposal = await findProposal(tx, id);
  if (!proposal) throw refuse(kitErrors.not_found);
  if (proposal.state !== 'open') throw refuse(identityErrors.proposal_over, { state: proposal.state });
  return proposal;
}

/**
 * Does the act of a locked proposal, in one transaction with the end of the proposal and its entry in the audit log.
 * Throws what the act throws, and `proposal_changed` when it would now change something else than was shown.
 */
export async function carryOut(
  tx: Tx,
  deps: Proposals,
  proposal: Proposal,
  { actor, endedBy }: { actor: Actor; endedBy: string | null },
): Promise<void> {
  const act = deps.acts.get(proposal.kind);
  // An operator who has lost the rights since cannot act any more.
  if (!act || !proposal.asked_by.is_operator) throw refuse(identityErrors.proposal_void);
  const { id: accountId, email: name } = proposal.asked_by;
  const asked = { ...proposal.input, by: { accountId, name }, actor, isConfirmed: endedBy !== null };
  const { change } = await act.perform(tx, asked);
  if (!change || !isDeepStrictEqual(plain(change.before), plain(proposal.before))) {
    throw refuse(identityErrors.proposal_changed);
  }
  const now = deps.now();
  await recordChange(tx, actor, { ...change, after: { ...change.after, proposal: proposal.id } }, now);
  await endProposal(tx, deps, proposal, { state: 'done', endedBy, why: null });
  await mailOperators(tx, deps, await proposalOf(tx, proposal.id), { step: 'ended', endedBy });
}

type End = {
  state: 'done' | 'refused' | 'cancelled' | 'expired' | 'failed';
  endedBy: string | null;
  why: string | null;
};

const words: Record<Exclude<End['state'], 'done'>, string> = {
  refused: 'refused an act',
  cancelled: 'cancelled an act',
  expired: 'gave an act up that nobody confirmed',
  failed: 'could not do an act',
};

/** Ends a proposal that is locked, without doing it. */
export async function endUndone(
  tx: Tx,
  deps: Proposals,
  proposal: Proposal,
  { actor, ...end }: End & { state: keyof typeof words; actor: Actor },
): Promise<void> {
  await endProposal(tx, deps, proposal, end);
  await recordStep(tx, deps, proposal, { actor, action: words[end.state], why: end.why });
  const ended = await proposalOf(tx, proposal.id);
  await mailOperators(tx, deps, ended, { step: 'ended', endedBy: end.endedBy });
}

async function endProposal(
  tx: Tx,
  deps: Proposals,
  { id }: Proposal,
  { state, endedBy, why }: End,
): Promise<void> {
  await tx.query('UPDATE proposals SET state = $2, ended_at = $3, ended_by = $4, why = $5 WHERE id = $1', [
    ...[id, state, deps.now(), endedBy, why],
  ]);
}

/** Writes a step of a proposal into the audit log. */
export async function recordStep(
  tx: Tx,
  deps: Proposals,
  { id, kind, subject, before, after: wanted, integration, merchant_id }: Proposal,
  { actor, action, why = null }: { actor: Actor; action: string; why?: string | null },
): Promise<void> {
  const about = { act: deps.acts.get(kind)?.title ?? kind, ...subject };
  const change = {
    action,
    subject: { kind: 'proposal', id },
    before,
    after: { about, ...wanted, ...(why === null ? {} : { why }) },
    merchantId: merchant_id,
    integrationId: integration?.id ?? null,
  };
  await recordChange(tx, actor, change, deps.now());
}

export async function proposalOf(tx: Tx, id: string): Promise<Proposal> {
  const proposal = await findProposal(tx, id);
  if (!proposal) throw new Error(`No proposal ${id}`);
  return proposal;
}

/** A value as JSON of the database reads back. */
function plain(value: object | null | undefined): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
