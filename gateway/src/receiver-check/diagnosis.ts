import { forged, wrongWebhook, wrongX } from './belief-cases.ts';
import { evidenceOf } from './judge.ts';
import type { Signing } from './message.ts';
import { isProbe } from './probes.ts';
import type { Advice } from './report.ts';
import type { Result } from './result.ts';
import { firstOf, type Results, type Standing, sameAnswer } from './standing.ts';

/** What is wrong with everything, to be told first; null when there is no such thing. */
export function diagnose(standing: Standing, results: Results, signing: Signing): Advice | null {
  const first = firstOf(results);
  const fake = results.get(forged.name);
  const both = evidenceOf([first, fake].filter((result) => result !== undefined));
  switch (standing.kind) {
    case 'takes':
      return null;
    case 'believes all':
      return {
        title:
          first && fake && !sameAnswer(first, fake)
            ? 'It answers forged deliveries with 2xx'
            : 'It verifies nothing',
        evidence: both,
        fix: 'If it believes them, anybody who knows its address can mark orders as paid. Verify both signatures before anything else, and answer 400 when one is wrong: verifyWebhook of the SDK, or the examples in docs/webhooks.md.',
        snippet: 'verify',
      };
    case 'knows':
      return {
        title: 'It does not answer 200 to payments that it does not know',
        evidence: both,
        fix: 'Answer 200 and do nothing when a genuine event is of a payment that is not in your shop. The rest of this report takes that answer for a yes.',
        snippet: 'ignore-unknown',
      };
    case 'too slow':
      return advice(
        'It answers too late',
        both,
        'Store the event, answer 200, and do slow work afterwards.',
        {
          snippet: 'answer-first',
        },
      );
    case 'redirects':
      return advice(
        'It redirects',
        `${evidenceOf(first ? [first] : [])}${first?.location ? ` It leads to ${first.location}.` : ''}`,
        'Florin follows no redirects. Give the endpoint the address at the end: https instead of http, with or without www and the last slash. A sign-in page must not stand before it.',
      );
    case 'is elsewhere':
      return advice(
        'Nothing takes webhooks at this address',
        both,
        'Compare the path of the address with the route of your receiver, and let the route take POST.',
      );
    case 'fails at all':
      return advice('It fails at every delivery', both, 'Look for the error in the log of your receiver.');
    case 'breaks off':
      return advice(
        'It breaks the connection of genuine deliveries',
        both,
        'Look for the crash in the log of your receiver; most likely it does not expect a payment that it does not know.',
      );
    case 'busy':
      return advice(
        'It asks to come back later',
        both,
        'Raise the rate limit of this path: a busy shop gets many webhooks at once. A real delivery is sent again after Retry-After; this check sends it twice.',
      );
    case 'unreachable':
      return unreachable(first);
    case 'refuses all':
      return refusal(results, both, signing);
  }
}

function advice(title: string, evidence: string, fix: string, more: Partial<Advice> = {}): Advice {
  return { title, evidence, fix, snippet: null, ...more };
}

const reachFixes: readonly [RegExp, string][] = [
  [/ECONNREFUSED/, 'Start your receiver, and compare the port.'],
  [/ENOTFOUND|EAI_AGAIN|has no address/, 'Compare the name of the machine, and its DNS.'],
  [
    /public internet/,
    'Florin sends to the public internet alone. Run `florin check-webhook` on the machine where the receiver is.',
  ],
  [/wrong version number|packet length/i, 'It speaks no TLS: write http://, or give it a certificate.'],
  [/certificate|self.signed|altname/i, 'Give it a certificate that browsers accept, with its whole chain.'],
  [/EHOSTUNREACH|ENETUNREACH|timed? ?out/i, 'Look whether it runs, and whether a firewall stands before it.'],
];

function unreachable(first: Result | undefined): Advice {
  const evidence = evidenceOf(first ? [first] : []);
  if (first?.outcome === 'slow') {
    const fix = 'Look whether it hangs, and whether a firewall stands before it.';
    return advice('It gives no answer', evidence, fix);
  }
  const known = reachFixes.find(([error]) => error.test(first?.error ?? ''));
  if (known) return advice('It cannot be reached', evidence, known[1]);
  const fix =
    'Look into the log of your receiver, and whether the address begins with the right http:// or https://.';
  return advice('It breaks the connection', evidence, fix);
}

/** Which of the secrets it may hold wrongly, as far as its answers tell. */
function refusal(results: Results, evidence: string, signing: Signing): Advice {
  const title = 'It refuses what is genuine';
  const taken = [...results.values()].filter(({ outcome }) => outcome === 'taken');
  const hit = taken.map((result) => result.case).find(isProbe);
  if (hit) {
    const found = `${hit.finding} It took a delivery that was signed so, and refused the right one.`;
    return { title, evidence: found, fix: hit.fix, snippet: 'verify' };
  }
  const first = firstOf(results);
  if (first && isForeignPage(first)) {
    const found = `${evidence} A page came back, which webhook receivers seldom send.`;
    const fix =
      'Most likely a firewall or a sign-in answers in place of your receiver: let Florin through, by a header of the endpoint if need be. Else compare the secrets that it holds with those of this endpoint.';
    return { title, evidence: found, fix, snippet: null };
  }
  const suspect = suspectOf(results);
  const missing = missingFix(signing);
  if (missing !== null) return { title, evidence, fix: missing, snippet: 'verify' };
  if (suspect === 'plain') {
    const found = 'Its answer is the one that it gives to a wrong X-Signature.';
    const fix =
      'Most likely it holds another secret key. Give it the sk_test_ key of this integration, whole, without quotes or line breaks around it. If it does: answer 200 to payments that you do not know.';
    return { title, evidence: `${evidence} ${found}`, fix, snippet: 'verify' };
  }
  if (suspect === 'standard') {
    const found = 'Its answer is the one that it gives to a wrong webhook-signature.';
    const fix =
      "Most likely it holds another endpoint's secret. Give it the whsec_ secret of this endpoint: each endpoint has its own, and rolling makes a new one. If it does: answer 200 to payments that you do not know.";
    return { title, evidence: `${evidence} ${found}`, fix, snippet: 'verify' };
  }
  const fix =
    'Compare the sk_test_ key and the whsec_ secret that it holds with those of this endpoint, and verify the raw bytes: something may have parsed the body first. The usual other mistakes (hex, undecoded secrets) were tried, and are not it.';
  return { title, evidence, fix, snippet: 'raw-body' };
}

/** A page of something that stands before the receiver, rather than of the receiver's own framework. */
function isForeignPage({ statusCode, response }: Result): boolean {
  const text = response ?? '';
  if (statusCode !== 401 && statusCode !== 403) return false;
  return text.trimStart().startsWith('<') && !/signature|hmac|webhook|secret/i.test(text);
}

function missingFix({ secretKey, endpointSecrets }: Signing): string | null {
  if (secretKey === null) {
    return 'Only webhook-signature was sent. If it checks X-Signature too, give the secret key by --key; else compare the whsec_ secret.';
  }
  if (endpointSecrets.length > 0) return null;
  return 'Only X-Signature was sent. If it checks webhook-signature too, give its secret by --secret; else compare the key.';
}

/** The signature that it takes for wrong though it is right. */
function suspectOf(results: Results): 'plain' | 'standard' | null {
  const first = firstOf(results);
  const [plain, standard] = [results.get(wrongX.name), results.get(wrongWebhook.name)];
  if (!first || !plain || !standard) return null;
  const named = namedIn(first);
  if (named) return named;
  const [asPlain, asStandard] = [sameAnswer(first, plain), sameAnswer(first, standard)];
  if (asPlain === asStandard) return null;
  return asPlain ? 'plain' : 'standard';
}

function namedIn({ response }: Result): 'plain' | 'standard' | null {
  const text = response ?? '';
  const [plain, standard] = [/x-signature/i.test(text), /webhook-signature/i.test(text)];
  if (plain === standard) return null;
  return plain ? 'plain' : 'standard';
}
