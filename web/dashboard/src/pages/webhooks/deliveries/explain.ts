import { t } from '../../../texts/t.ts';
import type { Attempt } from '../types/delivery.ts';

export type Explanation = {
  /** What happened, as one sentence. */
  what: string;
  /** What the merchant can do; absent where there is nothing to do. */
  todo?: string;
};

type Fact = Pick<Attempt, 'status_code' | 'error' | 'duration_ms' | 'injected_fault'>;

const byStatus: Record<number, string> = {
  400: t(
    'It refused the request: most often the body was parsed before its signature was checked, or another secret was used. Compare with “Verify”.',
  ),
  401: t(
    'It probably asks for a header that Florin does not send. Add that header to the endpoint, or let this path through without it.',
  ),
  403: t(
    'A firewall or bot protection may be in front of it. Let POSTs to this path through, or add the header that it asks for.',
  ),
  404: t('It has nothing at this path. Compare the endpoint’s address with the route of your receiver.'),
  405: t('It takes no POST at this path. Compare the endpoint’s address with the route of your receiver.'),
  408: t('It gave up waiting. Look whether a proxy in front of it is overloaded.'),
  410: t('That asks Florin to stop, so nothing more is tried. Re-send when the receiver is back.'),
  413: t('A proxy in front of it takes only smaller bodies. Webhooks are below 8 KiB.'),
  415: t('It takes no JSON. Webhooks come as application/json.'),
  422: t(
    'It refused the request: most often the body was parsed before its signature was checked, or another secret was used. Compare with “Verify”.',
  ),
  429: t('It takes fewer requests at a time. Florin waits for as long as it asked.'),
  500: t('Its own code failed. Its log at that moment says why.'),
  502: t('The proxy answered, and your program behind it did not. Is it running?'),
  503: t('It said that it is not ready. Florin tries again by itself.'),
  504: t('The proxy waited for your program in vain. Answer first, and do slow work afterwards.'),
};

const byError: [RegExp, string][] = [
  [/No complete answer within/, t('Answer 200 at once, and do slow work afterwards.')],
  [
    /ECONNREFUSED/,
    t('Nothing listens at this address and port. Is the receiver running, and is the port open?'),
  ],
  [
    /ENOTFOUND|EAI_AGAIN|has no address/,
    t('The name could not be found. Compare the address, and the records of the domain.'),
  ],
  [
    /not on the public internet/,
    t(
      'Florin sends to the public internet only. For a machine of your own network, ask the operator of this installation.',
    ),
  ],
  [
    /certificate|self.signed|altname|SSL|TLS/i,
    t('Its certificate is not good for this name. Renew it, with all intermediate certificates.'),
  ],
  [
    /ECONNRESET|connection was closed|other side closed|socket hang up|UND_ERR_SOCKET|EPIPE/,
    t('The connection was broken off before an answer came. Look at the log of your server or its proxy.'),
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timed? ?out/i,
    t('The machine could not be reached. A firewall may drop the connection.'),
  ],
  [
    /not valid HTTP|not asked for|headers of the answer|Content-Length/,
    t('Its answer breaks the rules of HTTP. Look which program answers at this address and port.'),
  ],
  [/no signing key/, t('Create a secret key for this mode in Settings: webhooks are signed with it.')],
  [/endpoint was deleted/, ''],
];

/** Whether the receiver took the event. An answer to a request with an injected fault proves nothing. */
export function isTaken({
  status_code: code,
  injected_fault: fault,
}: Pick<Attempt, 'status_code' | 'injected_fault'>): boolean {
  return code !== null && code >= 200 && code < 300 && fault === null;
}

/** Why an attempt went as it did, and what to do about it. */
export function explain(attempt: Fact): Explanation {
  const { status_code: code, error } = attempt;
  if (attempt.injected_fault !== null) return byFault(error ?? '');
  if (code === null) return unanswered(error ?? t('No answer came'));
  if (code >= 200 && code < 300)
    return {
      what: t('Your server took it in {durationMs}.', { durationMs: durationText(attempt.duration_ms) }),
    };
  const what = t('Your server answered {code}.', { code });
  if (code >= 300 && code < 400) {
    return {
      what,
      todo: t(
        'Florin follows no redirects. Enter the final address: look for https, www and the slash at its end.',
      ),
    };
  }
  const known = byStatus[code];
  if (known !== undefined) return { what, todo: known };
  return {
    what,
    todo:
      code >= 500
        ? t('Your server failed. Its log at that moment says why.')
        : t('Only an answer from 200 to 299 counts as taken.'),
  };
}

/** The gateway's own words, as a sentence. A receiver that accepted a forged request is at fault. */
function byFault(error: string): Explanation {
  const words = error.replace('Chaos: ', '');
  const what = `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/[^.!?]$/, '$&.');
  if (!/accepted/.test(words)) return { what };
  return {
    what,
    todo: t(
      'That is a fault of the receiver: anybody could report a payment to it that was not made. Compare with “Verify”.',
    ),
  };
}

function unanswered(error: string): Explanation {
  const what = /[.!?]$/.test(error) ? error : `${error}.`;
  const todo = byError.find(([pattern]) => pattern.test(error))?.[1];
  if (todo === undefined)
    return { what, todo: t('No answer came. Look whether the receiver can be reached from outside.') };
  return todo === '' ? { what } : { what, todo };
}

/** `120 ms`, `1.4 s`. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
