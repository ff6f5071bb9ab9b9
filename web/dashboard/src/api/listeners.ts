type Ask = () => Promise<boolean>;

let askWhoItIs: Ask = async () => false;
let tellSignedOut: () => void = () => {};

/** Says who opens the "Confirm that it is you" dialog; it resolves to whether the person confirmed. */
export function onConfirmationNeeded(ask: Ask): void {
  askWhoItIs = ask;
}

/** Says who leads to the sign-in page when the session has ended. */
export function onSignedOut(tell: () => void): void {
  tellSignedOut = tell;
}

export function confirmIdentity(): Promise<boolean> {
  return askWhoItIs();
}

export function signedOut(): void {
  tellSignedOut();
}
