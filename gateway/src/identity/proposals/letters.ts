import { letter, minuteOf } from '../mail/letter.ts';
import type { Letter } from '../mail/mail.ts';

/** A proposal as mails name it. `detail` is what it would change, line by line. */
export type ProposalFacts = { title: string; by: string; detail: string[]; url: string };

const asOperator = 'You get this mail because you are an operator of this gateway.';

/** To the other operators: one of them has to confirm it. */
export function waitsLetter({ title, by, detail, url }: ProposalFacts, expiresAt: Date): Letter {
  return letter({
    kind: 'proposal',
    subject: `To confirm: ${title}`,
    paragraphs: [
      `${by} asks for this: ${title}.`,
      ...detail,
      `It is done when another operator confirms it, and given up at ${minuteOf(expiresAt)}.`,
    ],
    action: { label: 'Confirm or refuse', url },
    closing: `${asOperator} Ask whoever asked, but not by answering this mail.`,
  });
}

/** To the one operator there is: it will be done by itself. */
export function delayedLetter({ title, by, detail, url }: ProposalFacts, dueAt: Date): Letter {
  return letter({
    kind: 'proposal',
    subject: `To be done in 24 hours: ${title}`,
    paragraphs: [
      `${by} asked for this: ${title}.`,
      ...detail,
      `There is no second operator to confirm it, so it is done at ${minuteOf(dueAt)}, unless it is cancelled before.`,
    ],
    action: { label: 'See or cancel it', url },
    closing: `${asOperator} If you did not ask, cancel it, and change your password.`,
  });
}

/** To the people of a business that a delayed act concerns. */
export function concernedLetter({ title, detail }: ProposalFacts, dueAt: Date): Letter {
  return letter({
    kind: 'proposal',
    subject: `An operator plans: ${title}`,
    paragraphs: [
      `An operator of the gateway plans this: ${title}.`,
      ...detail,
      `It is done at ${minuteOf(dueAt)}, unless the operator cancels it before.`,
    ],
    closing:
      'You get this mail because it concerns your business. If you did not expect it, ask your operator now.',
  });
}

/** To the other operators: it ended. `how` ends the sentence "It was ...". */
export function endedLetter({ title, by, detail, url }: ProposalFacts, how: string): Letter {
  return letter({
    kind: 'proposal',
    subject: `${title}: ${how.split(':', 1)[0]}`,
    paragraphs: [`${by} asked for this: ${title}.`, ...detail, `It was ${how}.`],
    action: { label: 'See the proposals', url },
    closing: asOperator,
  });
}
