import type { Act } from './acts.ts';
import type { Proposal } from './read.ts';

/** A proposal as one of the operators sees it. */
export function proposalView(
  { acts }: { acts: ReadonlyMap<string, Pick<Act, 'title'>> },
  proposal: Proposal,
  accountId: string,
) {
  const { id, kind, subject, integration, before, after, asked_by, state, ended_by, why } = proposal;
  return {
    ...{ id, subject, integration, before, after, state, ended_by, why },
    title: acts.get(kind)?.title ?? kind,
    asked_by: { id: asked_by.id, email: asked_by.email },
    is_own: asked_by.id === accountId,
    asked_at: proposal.asked_at.toISOString(),
    due_at: proposal.due_at?.toISOString() ?? null,
    expires_at: proposal.expires_at.toISOString(),
    ended_at: proposal.ended_at?.toISOString() ?? null,
  };
}
