import { given, type RawSearch, textParam } from '../../api/search.ts';

export type SignInSearch = ReturnType<typeof readSignInSearch>;

/** What the doors read: where to go afterwards, and what the links in our messages carry. */
export function readSignInSearch(raw: RawSearch) {
  return given({
    next: nextParam(raw.next),
    token: textParam(raw.token, 2_000),
    email: textParam(raw.email),
    error: textParam(raw.error),
  });
}

/** A path of this app, or undefined: an address of elsewhere must never be followed after signing in. */
function nextParam(value: unknown): string | undefined {
  const path = textParam(value, 2_000);
  return path && /^\/(?![/\\])/.test(path) ? path : undefined;
}
