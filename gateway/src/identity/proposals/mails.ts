import type { Tx } from '../../kit/db/db.ts';
import { type Letter, queueMail } from '../mail/mail.ts';
import { addressesOf, operatorAddresses, ownerAddresses } from '../merchants/people.ts';
import type { Act } from './acts.ts';
import { concernedLetter, delayedLetter, endedLetter, type ProposalFacts, waitsLetter } from './letters.ts';
import type { Proposal } from './read.ts';

type MailDeps = { baseUrl: string; acts: ReadonlyMap<string, Pick<Act, 'title'>> };

/** Mails a step of a proposal to the operators, except the one who made it. A delay is also mailed to the one who asked. */
export async function mailOperators(
  tx: Tx,
  deps: MailDeps,
  proposal: Proposal,
  { step, endedBy = null }: { step: 'waits' | 'delayed' | 'ended'; endedBy?: string | null },
): Promise<void> {
  const facts = factsOf(deps, proposal);
  const letters: Record<typeof step, () => Letter> = {
    waits: () => waitsLetter(facts, proposal.expires_at),
    delayed: () => delayedLetter(facts, proposal.due_at ?? proposal.expires_at),
    ended: () => endedLetter(facts, endingOf(proposal)),
  };
  const except = step === 'waits' ? proposal.asked_by.id : endedBy;
  const mail = letters[step]();
  await queueMail(tx, { to: await operatorAddresses(tx, except), ...mail });
}

/** Mails the people of the businesses that a delayed act concerns. */
export async function mailConcerned(
  tx: Tx,
  deps: MailDeps,
  proposal: Proposal,
  { concerns, dueAt }: Pick<Act, 'concerns'> & { dueAt: Date },
): Promise<void> {
  const { integration, merchant_id } = proposal;
  const addresses =
    concerns === 'every business'
      ? await ownerAddresses(tx, null)
      : integration
        ? await addressesOf(tx, integration.id, 'manage the team')
        : merchant_id === null
          ? []
          : await ownerAddresses(tx, merchant_id);
  await queueMail(tx, { to: addresses, ...concernedLetter(factsOf(deps, proposal), dueAt) });
}

function factsOf({ baseUrl, acts }: MailDeps, proposal: Proposal): ProposalFacts {
  const { kind, integration, subject, before, after, asked_by } = proposal;
  return {
    title: acts.get(kind)?.title ?? kind,
    by: asked_by.email,
    detail: [
      integration ? `Of the integration ${integration.name}.` : `About: ${subject.kind} ${subject.id}.`,
      ...(before ? [`Before: ${lineOf(before)}`] : []),
      ...(after ? [`After: ${lineOf(after)}`] : []),
    ],
    url: `${baseUrl}/app/operator/proposals`,
  };
}

function endingOf({ state, due_at, ended_by, why }: Proposal): string {
  const by = ended_by ? ` by ${ended_by.email}` : '';
  const because = why === null ? '' : `: ${why}`;
  if (state === 'done') return ended_by ? `confirmed${by}, and done` : 'done after its day had passed';
  if (state === 'failed') return `not possible${because}`;
  if (state === 'expired') return `given up${because || (due_at ? '' : ': nobody confirmed it')}`;
  return `${state}${by}${because}`;
}

function lineOf(values: object): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    )
    .join(', ');
}
