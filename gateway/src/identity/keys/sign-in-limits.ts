import type { BucketPolicy } from '../../kit/http/token-bucket.ts';
import { clientKey } from '../../kit/net/client-address.ts';
import type { Limiter } from './limiter.ts';

/** A try that is counted as a failure until it has succeeded. */
export type Attempt = { succeeded(): Promise<void> };

/** Whose secret is tried, and from where. */
type Claimed = {
  /** The name of the account, whether there is one or not. */
  account: string;
  /** A place from which the account signed in before; null: the caller comes from elsewhere. */
  knownPlace: string | null;
  /** Called when the account takes no more tries from unknown places. */
  onHeld?: (() => Promise<void>) | undefined;
};

/** Tries for each purpose are counted apart. */
export type NamedPurpose = 'sign-in' | 'code' | 'wallet';
type UnnamedPurpose = 'passkey' | 'reset' | 'setup';
type CreatingPurpose = 'sign-up' | 'forgotten';
type SessionPurpose = 'confirm' | 'password' | 'two-factor' | 'setup';

type Caller = { ip: string };

/** Limits of tries to sign in or to confirm (docs/security.md says why they are so). */
export type SignInLimits = {
  /** Counts a try at a named account. Failures of others never keep its owner out at a place that is known. */
  signIn(caller: Caller, purpose: NamedPurpose, claimed: Claimed): Promise<Attempt>;
  /** Counts a try that names no account and cannot be guessed, against the address alone. */
  unnamed(caller: Caller, purpose: UnnamedPurpose): Promise<Attempt>;
  /** Counts a call that makes an account or a mail, whether it succeeds or not. */
  creating(caller: Caller, purpose: CreatingPurpose): Promise<void>;
  /** Counts a confirmation of a signed-in person, against their session alone, which no stranger has. */
  bySession(session: { id: string }, purpose: SessionPurpose): Promise<Attempt>;
};

const policies = {
  address: { name: 'sign-in', perSecond: 0.1, burst: 10 },
  // A hundred failures of one account in any hour.
  account: { name: 'sign-in-account', perSecond: 40 / 3600, burst: 60 },
  known: { name: 'sign-in-known', perSecond: 1 / 60, burst: 10 },
  // For guesses that come from many networks and go to many accounts.
  all: { name: 'sign-ins', perSecond: 20, burst: 600 },
  // A check of a password takes time, whether the password is right or not.
  calls: { name: 'sign-in-calls', perSecond: 1, burst: 60 },
} satisfies Record<string, BucketPolicy>;

export function signInLimits(open: (policy: BucketPolicy) => Limiter): SignInLimits {
  const byAddress = open(policies.address);
  const byAccount = open(policies.account);
  const known = open(policies.known);
  const all = open(policies.all);
  const calls = open(policies.calls);

  return {
    async signIn({ ip }, purpose, { account, knownPlace, onHeld }) {
      const ofAccount = { limiter: byAccount, key: `${purpose} ${account}` };
      if (knownPlace !== null) {
        const place = `${purpose} ${account} ${knownPlace}`;
        await calls.take(place);
        const attempt = await reserve([{ limiter: known, key: place }]);
        // A failure here also counts for the account, but failures elsewhere do not refuse this try.
        const isCounted = await byAccount.count(ofAccount.key);
        return {
          async succeeded() {
            await attempt.succeeded();
            if (isCounted) await byAccount.putBack(ofAccount.key);
          },
        };
      }
      const address = `${purpose} address ${clientKey(ip)}`;
      await calls.take(address);
      return await reserve([
        { limiter: byAddress, key: address },
        { ...ofAccount, onEmpty: onHeld },
        { limiter: all, key: purpose },
      ]);
    },
    unnamed: ({ ip }, purpose) =>
      reserve([{ limiter: byAddress, key: `${purpose} address ${clientKey(ip)}` }]),
    async creating({ ip }, purpose) {
      await byAddress.take(`${purpose} address ${clientKey(ip)}`);
      await all.take(purpose);
    },
    async bySession({ id }, purpose) {
      const session = `${purpose} session ${id}`;
      await calls.take(session);
      return await reserve([{ limiter: known, key: session }]);
    },
  };
}

type Bucket = { limiter: Limiter; key: string; onEmpty?: (() => Promise<void>) | undefined };

/**
 * Takes a token from each bucket, or from none. It is called before the secret is checked: else many tries at the same
 * moment would all find a token.
 */
async function reserve(buckets: readonly Bucket[]): Promise<Attempt> {
  const reserved: Bucket[] = [];
  const succeeded = async (): Promise<void> => {
    for (const { limiter, key } of reserved) await limiter.putBack(key);
  };
  for (const bucket of buckets) {
    try {
      await bucket.limiter.take(bucket.key);
    } catch (error) {
      await succeeded();
      await bucket.onEmpty?.();
      throw error;
    }
    reserved.push(bucket);
  }
  return { succeeded };
}
