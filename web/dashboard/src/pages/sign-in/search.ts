import { given, type RawSearch, textParam } from '../../api/search.ts';

export type SignInSearch = ReturnType<typeof readSignInSearch>;

/** The address of the sign-in pages: where to go afterwards, and the tokens of the links in our mails. */
export function readSignInSearch(raw: RawSearch) {
  return given({
    next: nextParam(raw.next),
    token: textParam(raw.token, 2_000),
    email: textParam(raw.email),
    error: textParam(raw.error),
  });
}

/** A path of this app, or undefined: a sign-in must never lead to another site. */
function nextParam(value: unknown): string | undefined {
  const path = textParam(value, 2_000);
  return path && /^\/(?![/\\])/.test(path) ? path : undefined;
}
