import type { Answer } from './answer.ts';
import { type Answers, type Baseline, firstOf, sameAnswer } from './baseline.ts';
import { forged, wrongWebhook, wrongX } from './cases.ts';
import type { Signing } from './delivery.ts';
import { evidenceOf } from './judge.ts';
import type { Advice } from './report.ts';

type Finding = [title: string, fix: string, snippet?: Advice['snippet']];

/** What is wrong with a receiver of these kinds; its first two answers are the evidence. */
const findings: Partial<Record<Baseline['kind'], Finding>> = {
  'takes forged': [
    'It verifies nothing',
    'Anybody who knows its address can mark orders as paid. Verify both signatures before anything else, and answer 400 when one is wrong: use verifyWebhook of the SDK, or the examples in docs/webhooks.md.',
    'verify',
  ],
  'refuses unknown payments': [
    'It does not answer 200 to payments that it does not know',
    'Answer 200 and do nothing when a genuine event belongs to a payment that is not in your shop. The rest of this report counts that answer as taken.',
    'ignore-unknown',
  ],
  'too slow': [
    'It answers too late',
    'Store the event, answer 200, and do slow work afterwards.',
    'answer-first',
  ],
  redirects: [
    'It redirects',
    'Florin follows no redirects. Give the endpoint the final address: https instead of http, with or without www and the last slash. The address must not ask for a sign-in.',
  ],
  'no such route': [
    'No route takes webhooks at this address',
    'Compare the path of the address with the route of your receiver, and let the route accept POST.',
  ],
  'always fails': ['It fails at every delivery', 'Look for the error in the log of your receiver.'],
  'drops genuine': [
    'It breaks the connection of genuine deliveries',
    'Look for the crash in the log of your receiver. Most likely it does not expect a payment that it does not know.',
  ],
  'rate limited': [
    'It asks to come back later',
    'Raise the rate limit of this path: a busy shop gets many webhooks at once. Florin sends a real delivery again after Retry-After; this check sends it twice.',
  ],
};

/** What is wrong with every delivery, and has to be corrected first; null when there is no such thing. */
export function diagnose(baseline: Baseline, answers: Answers, signing: Signing): Advice | null {
  const first = firstOf(answers);
  const fake = answers.get(forged.name);
  const evidence = evidenceOf([first, fake].filter((answer) => answer !== undefined));
  if (baseline.kind === 'unreachable') return unreachable(first);
  if (baseline.kind === 'refuses genuine') return refusal(answers, evidence, signing);
  const finding = findings[baseline.kind];
  if (!finding) return null;
  const [title, fix, snippet = null] = finding;
  // A receiver may refuse in its text and still answer 2xx; only a person understands the text.
  const differs = baseline.kind === 'takes forged' && first && fake && !sameAnswer(first, fake);
  return { title: differs ? 'It answers forged deliveries with 2xx' : title, evidence, fix, snippet };
}

const reachFixes: readonly [RegExp, string][] = [
  [/ECONNREFUSED/, 'Start your receiver, and check the port.'],
  [/ENOTFOUND|EAI_AGAIN|has no address/, 'Check the host name and its DNS.'],
  [
    /public internet/,
    'Florin sends only to the public internet. Run `florin check-webhook` on the machine where the receiver is.',
  ],
  [/wrong version number|packet length/i, 'It does not speak TLS: write http://, or give it a certificate.'],
  [/certificate|self.signed|altname/i, 'Give it a certificate that browsers accept, with its whole chain.'],
  [/EHOSTUNREACH|ENETUNREACH|timed? ?out/i, 'Check whether it runs, and whether a firewall blocks it.'],
];

function unreachable(first: Answer | undefined): Advice {
  const evidence = evidenceOf(first ? [first] : []);
  const advice = (title: string, fix: string): Advice => ({ title, evidence, fix, snippet: null });
  if (first?.outcome === 'slow') {
    return advice('It gives no answer', 'Check whether it hangs, and whether a firewall blocks it.');
  }
  const known = reachFixes.find(([error]) => error.test(first?.error ?? ''));
  if (known) return advice('It cannot be reached', known[1]);
  return advice(
    'It breaks the connection',
    'Look in the log of your receiver, and check whether the address begins with the right http:// or https://.',
  );
}

/** Why genuine deliveries are refused: a usual mistake, another program at the address, or a wrong secret. */
function refusal(answers: Answers, evidence: string, { secretKey, endpointSecrets }: Signing): Advice {
  const advice = (more: Partial<Advice>): Advice => ({
    title: 'It refuses genuine deliveries',
    evidence,
    fix: '',
    snippet: 'verify',
    ...more,
  });
  const hit = [...answers.values()].find(({ outcome, case: one }) => outcome === 'taken' && one.mistakeFix);
  if (hit?.case.mistakeFix) {
    const found = `It refused the right delivery, but took this one: ${hit.title}.`;
    return advice({ evidence: found, fix: hit.case.mistakeFix });
  }
  const first = firstOf(answers);
  if (first && isForeignPage(first)) {
    return advice({
      evidence: `${evidence} A page came back, which webhook receivers seldom send.`,
      fix: 'Most likely a firewall or a sign-in answers instead of your receiver: let Florin through, with a header of the endpoint if needed. Otherwise compare the secrets that it holds with those of this endpoint.',
      snippet: null,
    });
  }
  if (secretKey === null) {
    const fix =
      'Only webhook-signature was sent. If it checks X-Signature too, give the secret key with --key; otherwise compare the whsec_ secret.';
    return advice({ fix });
  }
  if (endpointSecrets.length === 0) {
    const fix =
      'Only X-Signature was sent. If it checks webhook-signature too, give its secret with --secret; otherwise compare the key.';
    return advice({ fix });
  }
  const suspect = first && suspectOf(first, answers);
  if (suspect) {
    return advice({
      evidence: `${evidence} It gives the same answer to a wrong ${suspect}.`,
      fix: otherSecret[suspect],
    });
  }
  return advice({
    fix: 'Compare the sk_test_ key and the whsec_ secret that it holds with those of this endpoint, and verify the raw bytes: something may have parsed the body first. The other usual mistakes (hex, undecoded secrets) were tested and are not the cause.',
    snippet: 'raw-body',
  });
}

type Header = 'X-Signature' | 'webhook-signature';

const otherSecret: Record<Header, string> = {
  'X-Signature':
    'Most likely it holds another secret key. Give it the sk_test_ key of this integration, whole, without quotes or line breaks around it. If it has that key: answer 200 to payments that you do not know.',
  'webhook-signature':
    "Most likely it holds another endpoint's secret. Give it the whsec_ secret of this endpoint: each endpoint has its own, and rolling makes a new one. If it has that secret: answer 200 to payments that you do not know.",
};

/** A page of a firewall or a sign-in, not of the receiver's own framework. */
function isForeignPage({ status_code, response }: Answer): boolean {
  const text = response ?? '';
  if (status_code !== 401 && status_code !== 403) return false;
  return text.trimStart().startsWith('<') && !/signature|hmac|webhook|secret/i.test(text);
}

/** The right signature that the receiver refuses: its answer names it, or equals its answer to a wrong one. */
function suspectOf(first: Answer, answers: Answers): Header | null {
  const [plain, standard] = [answers.get(wrongX.name), answers.get(wrongWebhook.name)];
  if (!plain || !standard) return null;
  const text = first.response ?? '';
  return (
    onlyOne(/x-signature/i.test(text), /webhook-signature/i.test(text)) ??
    onlyOne(sameAnswer(first, plain), sameAnswer(first, standard))
  );
}

function onlyOne(plain: boolean, standard: boolean): Header | null {
  if (plain === standard) return null;
  return plain ? 'X-Signature' : 'webhook-signature';
}
