/** An invitation as its link shows it. */
export type Invitation = {
  email: string;
  role: string;
  merchant: { name: string };
  invited_by: { name: string; email: string };
  /** Whether there is an account with the invited address. */
  has_account: boolean;
  expires_at: string;
};
