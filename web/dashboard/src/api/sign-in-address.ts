import { choiceParam, given, type RawSearch, stringifySearch, textParam } from './search.ts';

export type SignInSearch = ReturnType<typeof readSignInSearch>;

const paths = /^\/(?:setup|sign-up|verify-email|reset-password|invitation|second-factor)(?:\/|$)/;

/** Whether this path of the app is for people without a session too, or for those before their second factor. */
export function isDoor(path: string): boolean {
  return paths.test(path);
}

/** The address of the sign-in pages: where to go afterwards, the tokens of the links in our mails, and what led here. */
export function readSignInSearch(raw: RawSearch) {
  return given({
    next: nextParam(raw.next),
    token: textParam(raw.token, 2_000),
    email: textParam(raw.email),
    done: choiceParam(raw.done, ['password', 'closed']),
    reason: choiceParam(raw.reason, ['weak']),
  });
}

/** The sign-in page is a document of its own, which no router opens. */
export function signInAddress(search: SignInSearch = {}): string {
  return `/app/sign-in${stringifySearch(search)}`;
}

/** A path of this app, or undefined: a sign-in must never lead to another site. */
function nextParam(value: unknown): string | undefined {
  const path = textParam(value, 2_000);
  return path && /^\/(?![/\\])/.test(path) ? path : undefined;
}
