/** A signed-in person, and when they last proved that it is they. */
export type Session = {
  id: string;
  account: {
    id: string;
    email: string;
    name: string;
    emailVerified: boolean;
    isOperator: boolean;
    hasTwoFactor: boolean;
    hasPasskey: boolean;
  };
  /** The sign-in, or its last confirmation. */
  freshAt: Date;
};
