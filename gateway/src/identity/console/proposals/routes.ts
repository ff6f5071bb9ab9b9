import { Type } from 'typebox';
import type { Tx } from '../../../kit/db/db.ts';
import { kitErrors, refuse } from '../../../kit/errors.ts';
import { fieldReader, queryReader } from '../../../kit/http/fields.ts';
import { pageById, pageFields } from '../../../kit/http/page-query.ts';
import { isUuid } from '../../../kit/ids.ts';
import { identityErrors } from '../../errors.ts';
import { carryOut, endUndone, lockOpen, type Proposals, proposalOf } from '../../proposals/proposals.ts';
import { listProposals } from '../../proposals/read.ts';
import { proposalView } from '../../proposals/view.ts';
import type { Call } from '../admission/call.ts';
import type { Console } from '../admission/terms.ts';
import { Proposal, ProposalPage } from '../answers/proposals.ts';

const readPage = queryReader(
  Type.Object({ ...pageFields, state: Type.Optional(Type.Enum(['open', 'ended'])) }),
);
const readWhy = fieldReader(
  Type.Object({ why: Type.Optional(Type.String({ format: 'text', maxLength: 1_000 })) }),
);

/** Acts that wait for another operator, or for a day to pass: reading, confirming, refusing and cancelling them. */
export function proposalRoutes(dashboard: Console, proposals: Proposals): void {
  dashboard.get('operator', '/proposals', { answer: ProposalPage }, async ({ query, session }) => {
    const { state = 'open', ...asked } = readPage(query);
    const page = await pageById(asked, (rows) =>
      listProposals(proposals.db, { isOpen: state === 'open', ...rows }),
    );
    const items = page.items.map((each) => proposalView(proposals, each, session.account.id));
    return { message: 'Proposals', data: { items, next_cursor: page.next_cursor } };
  });

  const ended = async (tx: Tx, call: Call<'operator'>, message: string) => {
    const proposal = await proposalOf(tx, idOf(call.params));
    // The step is in the audit log already.
    return { message, data: proposalView(proposals, proposal, call.session.account.id), change: null };
  };

  dashboard.write(
    'POST',
    'operator',
    '/proposals/:proposal/confirm',
    { fresh: true, answer: Proposal },
    async (tx, call) => {
      const { id: accountId } = call.session.account;
      const proposal = await lockOpen(tx, idOf(call.params));
      if (proposal.asked_by.id === accountId) throw refuse(identityErrors.proposal_own);
      await assertOperators(tx, [accountId, proposal.asked_by.id]);
      const isOver = proposal.expires_at <= proposals.now();
      if (isOver) throw refuse(identityErrors.proposal_over, { state: 'expired' });
      await carryOut(tx, proposals, proposal, { actor: call.actor, endedBy: accountId });
      return await ended(tx, call, 'Confirmed, and done');
    },
  );

  // Needs no fresh sign-in: an operator who sees something wrong can stop it at once.
  dashboard.write(
    'POST',
    'operator',
    '/proposals/:proposal/refuse',
    { answer: Proposal },
    async (tx, call) => {
      const { why = '' } = readWhy(call.body);
      const proposal = await lockOpen(tx, idOf(call.params));
      const endedBy = call.session.account.id;
      const end = { state: 'refused', endedBy, why: why.trim() || null, actor: call.actor } as const;
      await endUndone(tx, proposals, proposal, end);
      return await ended(tx, call, 'Refused');
    },
  );

  dashboard.write(
    'POST',
    'operator',
    '/proposals/:proposal/cancel',
    { answer: Proposal },
    async (tx, call) => {
      const proposal = await lockOpen(tx, idOf(call.params));
      const endedBy = call.session.account.id;
      if (proposal.asked_by.id !== endedBy) throw refuse(identityErrors.proposal_of_other);
      const end = { state: 'cancelled', endedBy, why: null, actor: call.actor } as const;
      await endUndone(tx, proposals, proposal, end);
      return await ended(tx, call, 'Cancelled');
    },
  );
}

/** Throws when one of the two has lost the rights since. Both keep them until the end of the transaction. */
async function assertOperators(tx: Tx, ids: string[]): Promise<void> {
  const { rowCount } = await tx.query(
    'SELECT FROM accounts WHERE id = ANY ($1) AND is_operator ORDER BY id FOR SHARE',
    [ids],
  );
  if (rowCount !== ids.length) throw refuse(identityErrors.proposal_void);
}

function idOf({ proposal = '' }: Record<string, string>): string {
  if (!isUuid(proposal)) throw refuse(kitErrors.not_found);
  return proposal;
}
