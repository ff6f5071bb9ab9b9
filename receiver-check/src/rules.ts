import type { Answer } from './answer.ts';
import { isBelieved } from './baseline.ts';
import * as cases from './cases.ts';
import { answersTo, evidenceOf, type Judgement, judged, type Rule, type Seen } from './judge.ts';

/** A slower answer gets advice: in a busy hour it may take longer than five seconds. */
const slowMs = 2_000;

const answerFirst =
  'Store the event, answer 200, and do slow work (mails, other systems) afterwards: the whole exchange may take 5 s.';
const verifyFirst =
  'Before anything else, compute both HMACs over the raw body, compare lengths, then compare in constant time. Answer 400 and stop when one differs. The SDK does it with verifyWebhook.';

/** What a receiver must do: the four rules of the integration, then what else docs/webhooks.md asks. */
export const rules: readonly Rule[] = [
  {
    rule: 'answers_quickly',
    title: 'Answers 200 quickly',
    cases: [cases.valid, cases.inPieces, cases.crowd],
    fix: 'Answer 200 to every genuine delivery, also to a body that comes in pieces (read it to its end) and to ten at once.',
    snippet: 'answer-first',
    before: ({ answers }) => {
      const late = [...answers.values()].filter(({ outcome }) => outcome === 'slow');
      return late.length === 0 ? null : judged('broken', evidenceOf(late), answerFirst, 'answer-first');
    },
    otherwise: judgeSpeed,
  },
  {
    rule: 'handles_once',
    title: 'Handles each event once',
    cases: cases.repeats,
    fix: 'Keep event_id in a column with a unique key, in the transaction that changes the order. When it is there already, change nothing and answer 200.',
    snippet: 'store-once',
    otherwise: judgeRepeats,
  },
  {
    rule: 'refuses_forged',
    title: 'Refuses forged deliveries, and goes on working',
    cases: [cases.forged, ...cases.forgeries, ...cases.halfForged, cases.afterForgeries],
    fix: {
      believed: verifyFirst,
      crashed: `A wrong signature must not make the receiver fail: catch the error, and answer 400. ${verifyFirst}`,
      'not taken': 'Keep nothing of a delivery that was refused.',
    },
    snippet: 'verify',
    otherwise: (seen) =>
      `${answersTo(seen, [cases.forged, ...cases.forgeries]).length} forged ones were refused. ${checkedText(seen)}`,
  },
  {
    rule: 'order_state',
    title: 'Brings the order into the right state',
    cases: [cases.failed, ...cases.anyOrders],
    fix: 'payment_failed: show the customer an error. payment_abandoned: leave the order open. Answer 200 to both.',
    otherwise: ({ reference }) =>
      judged(
        'unclear',
        'Answers do not show the state of an order.',
        `Look in your shop, if it keeps payments that it did not create: ${reference('FAILED')} is not paid, ${reference('LATE')} and ${reference('REORDERED')} are. To be sure, make a test order and simulate success, failure and expire.`,
      ),
  },
  {
    rule: 'raw_bytes',
    title: 'Verifies the raw bytes',
    cases: cases.spellings,
    needsVerification: true,
    fix: 'Take the raw bytes before anything parses them (express.raw, request.text(), php://input), verify those, then parse. A parsed body that is written out again has other bytes.',
    snippet: 'raw-body',
    otherwise: `${cases.spellings.length} bodies that a JSON library would have written in another way were taken.`,
  },
  {
    rule: 'refuses_replays',
    title: 'Refuses old deliveries',
    cases: cases.replays,
    needsVerification: true,
    fix: {
      believed:
        'Refuse a webhook-timestamp that is more than 300 s from your clock, either way. It is signed, so you can trust it.',
      crashed: 'Answer 400 instead.',
    },
    snippet: 'verify',
    before: judgePlainReplays,
    otherwise: 'Ten minutes old and ten minutes ahead were both refused.',
  },
  {
    rule: 'unknown_events',
    title: 'Answers 200 to event types that it does not know',
    cases: [cases.unknownEvent],
    fix: 'Answer 200 to types that you do not handle, and do nothing: Florin sends an event eleven times until it gets 2xx.',
    snippet: 'ignore-unknown',
    otherwise: 'A type that does not exist yet was answered with 2xx.',
  },
  {
    rule: 'any_order',
    title: 'Takes events in any order',
    cases: cases.anyOrders,
    fix: 'Compare X-Sequence with the newest one that you have for the payment. An older event changes nothing, and gets 200.',
    snippet: 'store-once',
    otherwise:
      'payment_pending after payment_completed and payment_completed after payment_abandoned were answered with 2xx.',
  },
  {
    rule: 'unknown_payments',
    title: 'Answers 200 to payments that it does not know',
    cases: [cases.valid],
    fix: '',
    before: judgeUnknownPayments,
    otherwise: '',
  },
  {
    rule: 'every_value',
    title: 'Takes every value that a payment may have',
    cases: cases.values,
    fix: 'amount and service_fee are JSON numbers in any notation. Texts are any Unicode up to 255 characters, or empty. Fields may be added. Allow bodies of 64 KiB.',
    otherwise: `${cases.values.length} unusual but right bodies were taken: small, huge and whole amounts, unusual and long texts, new fields, 16 KiB.`,
  },
  {
    rule: 'rotation',
    title: 'Takes either signature while a secret is rolled',
    cases: cases.rotations,
    needsVerification: true,
    fix: 'webhook-signature may hold several signatures with spaces between them. Split it, and take the delivery when one of them is right.',
    snippet: 'verify',
    before: (seen) =>
      answersTo(seen, cases.rotations).length > 0
        ? null
        : judged('unclear', "Not tested without the endpoint's secret.", 'Give it, and check again.'),
    otherwise: ({ checks }) =>
      checks.standard
        ? 'One right signature of two was enough, whether it came first or last.'
        : 'It does not depend on webhook-signature.',
  },
  {
    rule: 'nonsense',
    title: 'Survives requests that are not webhooks',
    cases: [...cases.nonsense, cases.afterNonsense],
    fix: {
      crashed:
        'Parse inside a try, test whether the result is an object with an event_id, and answer 400 when it is not.',
      'not taken': 'Keep nothing of a request that was refused.',
    },
    snippet: 'verify',
    otherwise: `${cases.nonsense.length} requests that are not webhooks did no harm; the next genuine one was taken.`,
  },
];

function judgeSpeed({ answers, baseline }: Seen): Judgement {
  const answered = [...answers.values()].filter(
    // The body in pieces is sent with pauses of our own.
    (answer) => isBelieved(answer, baseline) && answer.case !== cases.inPieces,
  );
  const times = answered.map(({ duration_ms }) => duration_ms).sort((one, other) => one - other);
  const slowest = times.at(-1) ?? 0;
  const median = times[Math.floor((times.length - 1) / 2)];
  const other = answered.find(({ status_code }) => status_code !== 200)?.status_code;
  const note = other ? ` Some were ${other}: the rule says 200, but Florin takes any 2xx.` : '';
  return judged(
    'kept',
    `Half of the ${times.length} answers came within ${median} ms, the slowest after ${slowest} ms.${note}`,
    slowest > slowMs ? answerFirst : '',
  );
}

function judgeRepeats(seen: Seen): Judgement {
  const noticed = answersTo(seen, [cases.repeated, cases.repeatedAfterBoth]).filter(saysRepeated);
  if (noticed.length === 2 && !answersTo(seen, [cases.valid]).some(saysRepeated)) {
    return judged('kept', `Its answers say that it had them before. ${evidenceOf(noticed)}`);
  }
  const [once, twice] = [seen.reference('ONCE'), seen.reference('TWICE')];
  return judged(
    'unclear',
    'Repeated events got no error. The answers do not show whether each was handled once.',
    `Look in your shop for ${once} and ${twice}: each may be there once or not at all, never twice. To be sure, pay a test order, send its event again, and see that it was fulfilled once.`,
    'store-once',
  );
}

function saysRepeated({ response }: Answer): boolean {
  return /\b(?:repeat|duplicate|already)/i.test(response ?? '');
}

function checkedText(seen: Seen): string {
  if (answersTo(seen, cases.halfForged).length < 2) return 'The next genuine one was taken.';
  const { plain, standard } = seen.checks;
  if (plain && standard) return 'It checks both signatures.';
  if (plain) return 'It checks X-Signature alone.';
  return standard ? 'It checks webhook-signature alone.' : 'One right signature of the two is enough for it.';
}

function judgePlainReplays(seen: Seen): Judgement | null {
  const answers = answersTo(seen, cases.replays);
  const hasTaken = answers.some((answer) => isBelieved(answer, seen.baseline));
  const dependsOnPlain = answers.length === 0 ? seen.checks.plain : hasTaken && !seen.checks.standard;
  if (!dependsOnPlain) return null;
  return judged(
    'unclear',
    'It depends on X-Signature, which has no timestamp.',
    'Whoever records a webhook can send it again. Storing each event_id makes that harmless. Checking webhook-signature and its timestamp too refuses it at once.',
    'verify',
  );
}

function judgeUnknownPayments({ baseline }: Seen): Judgement | null {
  if (baseline.kind === 'too slow') return null;
  if (baseline.kind !== 'refuses unknown payments') {
    return judged(
      'kept',
      'The payments of this check are not in your shop; the first one was answered with 2xx.',
    );
  }
  return judged(
    'broken',
    `It refuses forged deliveries, but genuine ones too: ${evidenceOf([baseline.first])} Most likely because the payment is not in your shop.`,
    'Answer 200 to a genuine event of a payment that you do not know, and do nothing: several programs may share one integration, and Florin sends an event again until it gets 2xx.',
    'ignore-unknown',
  );
}
