import { type SignInSearch, signInAddress } from './sign-in-address.ts';

let isLeaving = false;

/**
 * Opens the sign-in page in place of this document. The browser may keep the document for its Back button: what it showed
 * belongs to somebody who is signed out, so it is hidden, and loaded anew if it returns. Calls that are refused meanwhile
 * change nothing about where it leads.
 */
export function leaveToSignIn(search: SignInSearch = {}): void {
  if (isLeaving) return;
  isLeaving = true;
  addEventListener('pagehide', () => {
    document.documentElement.hidden = true;
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  location.replace(signInAddress(search));
}
