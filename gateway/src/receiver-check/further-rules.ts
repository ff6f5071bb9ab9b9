import { afterNonsense, nonsenseCases, replayCases, valid } from './belief-cases.ts';
import { orderCases, rawCases, rotationCases, unknownEvent, valueCases } from './genuine-cases.ts';
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
import { isBelieved } from './standing.ts';

/** What else docs/webhooks.md asks of a receiver. */
export const furtherRules: readonly Rule[] = [
  { rule: 'raw_bytes', title: 'Verifies the raw bytes', judge: judgeRaw },
  { rule: 'refuses_replays', title: 'Refuses what was sent long ago', judge: judgeReplays },
  {
    rule: 'unknown_events',
    title: 'Answers 200 to event types that it does not know',
    judge: judgeUnknownEvent,
  },
  { rule: 'any_order', title: 'Takes events in any order', judge: judgeOrder },
  {
    rule: 'unknown_payments',
    title: 'Answers 200 to payments that it does not know',
    judge: judgeUnknownPayments,
  },
  { rule: 'every_value', title: 'Takes every value that a payment may have', judge: judgeValues },
  { rule: 'rotation', title: 'Takes either signature while a secret is rolled', judge: judgeRotation },
  { rule: 'nonsense', title: 'Withstands what is no webhook', judge: judgeNonsense },
];

function judgeRaw(seen: Seen): Judged {
  if (seen.standing.kind === 'believes all') return verifiesNothing();
  return judgeTaken(seen, rawCases, {
    kept: `${rawCases.length} bodies that a JSON library would have written otherwise were taken.`,
    fix: 'Take the raw bytes before anything parses them (express.raw, request.text(), php://input), verify those, then parse. A parsed body written out again is another text.',
    snippet: 'raw-body',
  });
}

function judgeReplays(seen: Seen): Judged {
  if (seen.standing.kind === 'believes all') return verifiesNothing();
  const results = resultsOf(seen, replayCases);
  const crashed = crashesOf(results, seen);
  if (crashed.length > 0) return judged('broken', evidenceOf(crashed), 'Answer 400 instead.', 'verify');
  const believed = results.filter((result) => isBelieved(result, seen.standing));
  if (believed.length > 0 && seen.checks.standard) {
    return judged(
      'broken',
      evidenceOf(believed),
      'Refuse a webhook-timestamp that is more than 300 s from your clock, either way. It is signed, so it can be trusted.',
      'verify',
    );
  }
  if (believed.length > 0 || (results.length === 0 && seen.checks.plain)) {
    return judged(
      'unclear',
      'It goes by X-Signature, which carries no time.',
      'Whoever records a webhook can send it again. Storing each event_id makes that harmless; checking webhook-signature and its timestamp too refuses it at once.',
      'verify',
    );
  }
  const without = unansweredOf(results);
  if (without.length > 0 || results.length === 0) return unseen(without);
  return judged('kept', 'Ten minutes old and ten minutes ahead were both refused.');
}

function judgeUnknownEvent(seen: Seen): Judged {
  return judgeTaken(seen, [unknownEvent], {
    kept: 'A type that does not exist yet was answered with 2xx.',
    fix: 'Answer 200 to types that you do not handle, and do nothing: Florin sends what is not answered so eleven times.',
    snippet: 'ignore-unknown',
  });
}

function judgeOrder(seen: Seen): Judged {
  return judgeTaken(seen, orderCases.flat(), {
    kept: 'payment_pending after payment_completed and payment_completed after payment_abandoned were answered with 2xx.',
    fix: 'Compare X-Sequence with the newest that you have of the payment. What is older changes nothing, and gets 200.',
    snippet: 'store-once',
  });
}

function judgeUnknownPayments(seen: Seen): Judged {
  const { standing } = seen;
  if (standing.kind === 'knows') {
    return judged(
      'broken',
      `It tells genuine from forged, and yet: ${evidenceOf([standing.first])} Most likely because its payment is not in your shop.`,
      'Answer 200 to a genuine event of a payment that you do not know, and do nothing: one integration may serve several programs, and Florin goes on sending what gets another answer.',
      'ignore-unknown',
    );
  }
  if (standing.kind === 'too slow') return unseen(resultsOf(seen, [valid]));
  return judged('kept', 'No payment of this check is in your shop; the first one was answered with 2xx.');
}

function judgeValues(seen: Seen): Judged {
  return judgeTaken(seen, valueCases, {
    kept: `${valueCases.length} odd but right bodies were taken: small, huge and whole amounts, odd and long texts, new fields, 16 KiB.`,
    fix: 'amount and service_fee are JSON numbers in any spelling; texts are any Unicode up to 255 characters, or empty; fields may be added. Allow bodies of 64 KiB.',
  });
}

function judgeRotation(seen: Seen): Judged {
  if (seen.standing.kind === 'believes all') return verifiesNothing();
  if (resultsOf(seen, rotationCases).length === 0) {
    return judged('unclear', "Not tried without the endpoint's secret.", 'Give it, and check again.');
  }
  return judgeTaken(seen, rotationCases, {
    kept: seen.checks.standard
      ? 'One right signature among two was enough, wherever it stood.'
      : 'It does not depend on webhook-signature.',
    fix: 'webhook-signature may hold several signatures with spaces between them. Split it, and take the delivery when one of them is right.',
    snippet: 'verify',
  });
}

function judgeNonsense(seen: Seen): Judged {
  const results = resultsOf(seen, nonsenseCases);
  const crashed = crashesOf(results, seen);
  if (crashed.length > 0) {
    return judged(
      'broken',
      evidenceOf(crashed),
      'Parse inside a try, look whether the result is an object with an event_id, and answer 400 when it is not.',
      'verify',
    );
  }
  const after = judgeTaken(seen, [afterNonsense], {
    kept: `${results.length} requests that are no webhook did no harm; the next genuine one was taken.`,
    fix: 'Keep nothing of a request that was refused.',
  });
  const without = unansweredOf(results);
  return after.verdict === 'kept' && without.length > 0 ? unseen(without) : after;
}

function verifiesNothing(): Judged {
  return judged(
    'unclear',
    'It believes everything, so its answers say nothing of this.',
    'Verify signatures first, and check again.',
    'verify',
  );
}
