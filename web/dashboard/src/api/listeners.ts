type Ask = () => Promise<boolean>;

let askWhoItIs: Ask = async () => false;
let reportSignedOut: () => void = () => {};
let reportMissingFactor: () => void = () => {};

/** Sets the function that opens the "Confirm that it is you" dialog. It resolves to whether the person confirmed. */
export function onConfirmationNeeded(ask: Ask): void {
  askWhoItIs = ask;
}

/** Sets the function that opens the sign-in page when the session has ended. */
export function onSignedOut(report: () => void): void {
  reportSignedOut = report;
}

/** Sets the function that opens the page of the second factor when the account needs one that it has not shown. */
export function onMissingFactor(report: () => void): void {
  reportMissingFactor = report;
}

export function confirmIdentity(): Promise<boolean> {
  return askWhoItIs();
}

export function signedOut(): void {
  reportSignedOut();
}

export function missingFactor(): void {
  reportMissingFactor();
}
