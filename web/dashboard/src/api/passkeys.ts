import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { t } from '../texts/t.ts';
import { ApiError } from './api-error.ts';
import { api } from './client.ts';

// Loaded when a passkey is asked for, which most pages never do.
const library = () => import('@simplewebauthn/browser');

/** Why this browser cannot use passkeys at this address, in words for the person; null when it can. */
export function passkeyHindrance(): string | null {
  const { hostname, port, protocol } = location;
  if (hostname === '127.0.0.1' || hostname === '[::1]') {
    const address = `${protocol}//localhost${port && `:${port}`}`;
    return t('Browsers make no passkeys for IP addresses. Open the dashboard at {address} to use them.', {
      address,
    });
  }
  if (hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)) {
    return t('Browsers make no passkeys for IP addresses. They work once the dashboard has a domain name.');
  }
  if (typeof PublicKeyCredential === 'undefined') {
    return isSecureContext
      ? t('This browser does not support passkeys.')
      : t('Passkeys need https, which this address does not have.');
  }
  return null;
}

// A challenge replaces the one before it, in a cookie. Only the newest request may ask for one and use it, and only after the one before has its answer: else the suggestions of a field abort the request of the button.
let newest = 0;
let asked: Promise<unknown> = Promise.resolve();

/**
 * Signs in by a passkey; the session that this browser had before ends. With `autofill` it waits until the person
 * chooses one among the suggestions of a field. Resolves to false when the person chose none.
 */
export async function signInByPasskey({ autofill = false } = {}): Promise<boolean> {
  newest += 1;
  const request = newest;
  const { startAuthentication, browserSupportsWebAuthnAutofill, WebAuthnAbortService } = await library();
  if (autofill && !(await browserSupportsWebAuthnAutofill())) return false;
  // At once, not when the challenge is here: a touch in between would answer the suggestions, not the button.
  if (!autofill) WebAuthnAbortService.cancelCeremony();
  const path = '/console/auth/sign-in/passkey';
  const options = asked.then(() =>
    request === newest
      ? api<PublicKeyCredentialRequestOptionsJSON>(`${path}/options`, { body: {} })
      : Promise.resolve(null),
  );
  asked = options.catch(() => null);
  const optionsJSON = await options;
  if (optionsJSON === null) return false;
  let response: AuthenticationResponseJSON | null | 'aborted' = 'aborted';
  // Suggestions that were asked for earlier may begin later and abort this request: it is made again.
  while (response === 'aborted' && request === newest)
    response = await answerOf(startAuthentication({ optionsJSON, useBrowserAutofill: autofill }));
  if (response === null || response === 'aborted' || request !== newest) return false;
  const answer = api(path, { body: { response } });
  asked = answer.catch(() => null);
  await answer;
  return true;
}

/** Stops waiting for a choice among the suggestions of a field. */
export async function endPasskeyAutofill(): Promise<void> {
  newest += 1;
  (await library()).WebAuthnAbortService.cancelCeremony();
}

/** Makes a passkey in this browser or on another device, under this name; false when the person made none. */
export async function addPasskey(name: string): Promise<boolean> {
  const path = '/console/account/passkeys';
  const options = await api<PublicKeyCredentialCreationOptionsJSON>(`${path}/options`, { body: {} });
  const { startRegistration } = await library();
  const response = await answerOf(startRegistration({ optionsJSON: options }));
  if (response === null || response === 'aborted') return false;
  await api(path, { body: { name, response } });
  return true;
}

/** Null when the person closed the browser's window; 'aborted' when another request took its place. */
async function answerOf<T>(ceremony: Promise<T>): Promise<T | null | 'aborted'> {
  try {
    return await ceremony;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'AbortError') return 'aborted';
    if (name === 'NotAllowedError') return null;
    const words =
      name === 'InvalidStateError'
        ? t('This device has a passkey for this account already.')
        : t('This browser could not use a passkey here.');
    throw new ApiError(0, 'passkey_failed', words);
  }
}
