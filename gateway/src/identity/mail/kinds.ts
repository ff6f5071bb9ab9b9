/**
 * Every kind of mail. `access`: it has a link or a code that gives access to whoever reads it, so no page of the dashboard
 * shows its text (contract.md#money-out). `notice`: its links lead to pages that ask for a sign-in.
 */
export const mailKinds = {
  confirm_address: 'access',
  reset_password: 'access',
  invitation: 'access',
  wallet_confirm_address: 'access',
  wallet_reset_password: 'access',
  // Whoever has the link of a payment's page may choose where its refund goes.
  refund_waits: 'access',
  customer_answer: 'access',
  receipt: 'access',
  refund_claimed: 'notice',
  guesses: 'notice',
  security: 'notice',
  security_alerts: 'notice',
  account_closed: 'notice',
  approval: 'notice',
  proposal: 'notice',
  endpoint_disabled: 'notice',
  appeal_opened: 'notice',
  appeal_answer: 'notice',
  reversals: 'notice',
  payouts_wait: 'notice',
  payout_skipped: 'notice',
  address_added: 'notice',
  own_address: 'notice',
  wallet_security: 'notice',
  wallet_notice: 'notice',
  merchant_notice: 'notice',
  doctor: 'notice',
  backups: 'notice',
  test: 'notice',
} as const satisfies Record<string, 'access' | 'notice'>;

export type MailKind = keyof typeof mailKinds;

/** Whether a mail gives access: also one of a kind that this version does not know, or that was written before there were kinds. */
export function givesAccess(kind: string | null): boolean {
  const known: Readonly<Record<string, 'access' | 'notice' | undefined>> = mailKinds;
  return kind === null || !Object.hasOwn(mailKinds, kind) || known[kind] === 'access';
}
