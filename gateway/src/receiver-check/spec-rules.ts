import { afterForgeries, beliefCases, forged, forgeryCases, valid } from './belief-cases.ts';
import {
  crowdCase,
  failedCase,
  orderCases,
  repeatCases,
  repeated,
  repeatedAfterBoth,
  slowCase,
} from './genuine-cases.ts';
import {
  crashesOf,
  evidenceOf,
  type Judged,
  judged,
  judgeTaken,
  type Rule,
  resultsOf,
  type Seen,
  unansweredOf,
  unseen,
} from './judge.ts';
import { isAlsoRight, type Result } from './result.ts';
import { isBelieved, isUnanswered } from './standing.ts';

/** The four rules of service-spec 6.3. */
export const specRules: readonly Rule[] = [
  { rule: 'answers_quickly', title: 'Answers 200 quickly', judge: judgeSpeed },
  { rule: 'handles_once', title: 'Handles each event once', judge: judgeRepeats },
  { rule: 'refuses_forged', title: 'Refuses what is not genuine, and goes on', judge: judgeForgeries },
  { rule: 'order_state', title: 'Brings the order into the right state', judge: judgeOrders },
];

/** So much of the five seconds that a busy hour may take the rest. */
const slowMs = 2_000;

const answerFirst =
  'Store the event, answer 200, and do slow work (mails, other systems) afterwards: the whole exchange may take 5 s.';

function judgeSpeed(seen: Seen): Judged {
  const plain = resultsOf(seen, [valid, slowCase, crowdCase]);
  const late = [...seen.results.values()].filter(({ outcome }) => outcome === 'slow');
  if (late.length > 0) return judged('broken', evidenceOf(late), answerFirst, 'answer-first');
  const wrong = plain.filter((result) => !isBelieved(result, seen.standing));
  const unanswered = unansweredOf(wrong);
  if (wrong.length > unanswered.length) {
    const fix =
      'Answer 200 to every genuine delivery, also to a body that comes in pieces (read it to its end) and to ten at once.';
    return judged('broken', evidenceOf(wrong), fix, 'answer-first');
  }
  if (unanswered.length > 0) return unseen(unanswered);
  const answered = [...seen.results.values()].filter(
    // Whose body came slowly was not slow itself.
    (result) => isBelieved(result, seen.standing) && result.case !== slowCase,
  );
  const times = answered.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  const slowest = times.at(-1) ?? 0;
  const evidence = `Half of the ${times.length} answers came within ${times[Math.floor((times.length - 1) / 2)]} ms, the slowest after ${slowest} ms.`;
  if (seen.standing.kind === 'knows') {
    const fix = 'Answer 200 to payments that you do not know, and check again.';
    return judged('unclear', `${evidence} But they were not 200.`, fix);
  }
  const other = answered.find(({ statusCode }) => statusCode !== 200)?.statusCode;
  const note = other ? ` Some were ${other}: the rule says 200, and Florin takes any 2xx.` : '';
  return judged('kept', evidence + note, slowest > slowMs ? answerFirst : '');
}

const storeOnce =
  'Keep event_id in a column with a unique key, in the transaction that changes the order. When it is there already, change nothing and answer 200.';

function judgeRepeats(seen: Seen): Judged {
  const again = resultsOf(seen, repeatCases);
  const crashes = crashesOf(again, seen);
  const wrong = again.filter((result) => {
    if (result.case.expect === 'withstood') return crashes.includes(result);
    return !isUnanswered(result) && !isAlsoRight(result) && !isBelieved(result, seen.standing);
  });
  if (wrong.length > 0) return judged('broken', evidenceOf(wrong), storeOnce, 'store-once');
  const unanswered = unansweredOf(again);
  if (unanswered.length > 0) return unseen(unanswered);
  const noticed = resultsOf(seen, [repeated, repeatedAfterBoth]).filter(saysRepeated);
  if (noticed.length === 2 && !resultsOf(seen, [valid]).some(saysRepeated)) {
    return judged('kept', `It says that it had them before. ${evidenceOf(noticed)}`);
  }
  const [once, twice] = [seen.reference('ONCE'), seen.reference('TWICE')];
  return judged(
    'unclear',
    'Repeated events were answered without a fault. Whether each was handled once, answers do not show.',
    `Look in your shop for ${once} and ${twice}: each may stand there once or not at all, never twice. To be sure, pay a test order, send its event again, and see that it was fulfilled once.`,
    'store-once',
  );
}

function saysRepeated({ response }: Result): boolean {
  return /\b(?:repeat|duplicate|already)/i.test(response ?? '');
}

const verifyFirst =
  'Before anything else, compute both HMACs over the raw body, compare lengths, then compare in constant time; answer 400 and stop when one differs. The SDK does it by verifyWebhook.';

function judgeForgeries(seen: Seen): Judged {
  const whole = resultsOf(seen, [forged, ...forgeryCases]);
  const half = resultsOf(seen, beliefCases).filter(({ case: { expect } }) => expect === 'withstood');
  const after = resultsOf(seen, [afterForgeries]);
  const believed = whole.filter((result) => isBelieved(result, seen.standing));
  if (believed.length > 0) return judged('broken', evidenceOf(believed), verifyFirst, 'verify');
  const crashed = crashesOf([...whole, ...half], seen);
  if (crashed.length > 0) {
    const fix = `A wrong signature is no fault of yours: catch it, and answer 400. ${verifyFirst}`;
    return judged('broken', evidenceOf(crashed), fix, 'verify');
  }
  const unanswered = unansweredOf([...whole, ...after]);
  const stuck = after.filter((result) => !isBelieved(result, seen.standing) && !unanswered.includes(result));
  if (stuck.length > 0) {
    return judged('broken', evidenceOf(stuck), 'Keep nothing of a delivery that was refused.', 'verify');
  }
  if (unanswered.length > 0) return unseen(unanswered);
  return judged('kept', `${whole.length} forged ones were refused. ${describeChecks(seen, half)}`);
}

function describeChecks({ checks }: Seen, half: readonly Result[]): string {
  if (half.length < 2) return 'The next genuine one was taken.';
  if (checks.plain && checks.standard) return 'It checks both signatures.';
  if (checks.plain) return 'It checks X-Signature alone.';
  if (checks.standard) return 'It checks webhook-signature alone.';
  return 'One right signature of the two is enough for it.';
}

function judgeOrders(seen: Seen): Judged {
  const cases = [failedCase, ...orderCases.flat()];
  const taken = judgeTaken(seen, cases, {
    kept: '',
    fix: 'payment_failed: show the customer an error. payment_abandoned: leave the order open. Answer 200 to both.',
  });
  if (taken.verdict === 'broken') return taken;
  const name = seen.reference;
  return judged(
    'unclear',
    'Answers do not show what became of an order.',
    `Look in your shop, where it keeps payments that it did not make: ${name('FAILED')} is not paid, ${name('LATE')} and ${name('REORDERED')} are. To be sure, make a test order and play success, failure and expire.`,
  );
}
