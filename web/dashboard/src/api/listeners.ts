type Ask = () => Promise<boolean>;

let askWhoItIs: Ask = async () => false;
let reportSignedOut: () => void = () => {};

/** Sets the function that opens the "Confirm that it is you" dialog. It resolves to whether the person confirmed. */
export function onConfirmationNeeded(ask: Ask): void {
  askWhoItIs = ask;
}

/** Sets the function that opens the sign-in page when the session has ended. */
export function onSignedOut(report: () => void): void {
  reportSignedOut = report;
}

export function confirmIdentity(): Promise<boolean> {
  return askWhoItIs();
}

export function signedOut(): void {
  reportSignedOut();
}
