import { Refusal } from '../../kit/errors.ts';
import type { BucketPolicy } from '../../kit/http/token-bucket.ts';
import { clientKey } from '../../kit/net/client-address.ts';
import type { Limiter } from './limiter.ts';

/** Mails that a stranger may cause. */
export type MailPurpose = 'reset' | 'confirm' | 'change' | 'invitation' | 'reused code' | 'receipt';

type Caller = { ip: string };

/** Limits of what a visitor may cause, by its address and by what it is about. */
export type VisitorLimits = {
  /** A limit for guessing names of users, by the answers that show that there is no such user: one for each integration. */
  userProbe: { check(integrationId: string): Promise<void>; count(integrationId: string): Promise<void> };
  /** Counts what a signed-in person does rarely, against the address and the subject. */
  rare(request: Caller, about: string): Promise<void>;
  /** Counts one mail of a purpose to a recipient, whoever caused it, against the purpose and against all of them. */
  mail(recipient: string, purpose: MailPurpose): Promise<void>;
  /** The same, but returns whether it may be sent: for callers who must not learn what others asked for. */
  mayMail(recipient: string, purpose: MailPurpose): Promise<boolean>;
  /** Counts one message of a customer against the address and the subject. */
  message(request: Caller, about: string): Promise<void>;
  /** Counts one payment that a customer makes by a payment link, against the address. */
  payByLink(request: Caller): Promise<void>;
  /** Counts one search for a transaction on the chains against the address and the payment. */
  claim(request: Caller, paymentId: string): Promise<void>;
  /** Counts one receipt that a customer has mailed, against the address, the payment and the recipient. */
  receipt(request: Caller, paymentId: string, recipient: string): Promise<void>;
  /** Counts one request to the Pi platform against the address and the payment. */
  piBrowser(request: Caller, paymentId: string): Promise<void>;
  /** Counts one gift of demo coins against the address that asks and the wallet that gets them. */
  faucet(request: Caller, wallet: string): Promise<void>;
};

const policies = {
  userProbe: { name: 'user-probe', perSecond: 0.1, burst: 100 },
  rare: { name: 'rare', perSecond: 0.1, burst: 10 },
  mail: { name: 'mail', perSecond: 1 / 600, burst: 5 },
  mails: { name: 'mails', perSecond: 10 / 3600, burst: 10 },
  message: { name: 'message', perSecond: 0.05, burst: 10 },
  link: { name: 'link', perSecond: 0.2, burst: 20 },
  claim: { name: 'claim', perSecond: 0.1, burst: 6 },
  receipt: { name: 'receipt', perSecond: 1 / 1200, burst: 3 },
  piBrowser: { name: 'pi-browser', perSecond: 0.5, burst: 20 },
  faucet: { name: 'faucet', perSecond: 1 / 60, burst: 5 },
} satisfies Record<string, BucketPolicy>;

export function visitorLimits(open: (policy: BucketPolicy) => Limiter): VisitorLimits {
  const byUserProbe = open(policies.userProbe);
  const byRare = open(policies.rare);
  const byMail = open(policies.mail);
  const byRecipient = open(policies.mails);
  const byMessage = open(policies.message);
  const byLink = open(policies.link);
  const byClaim = open(policies.claim);
  const byReceipt = open(policies.receipt);
  const byPiBrowser = open(policies.piBrowser);
  const byFaucet = open(policies.faucet);

  async function mail(recipient: string, purpose: MailPurpose): Promise<void> {
    await byMail.take(`${purpose} ${recipient}`);
    // Other mails that a stranger caused must not keep the owner from the link of a reset.
    if (purpose === 'reset') await byRecipient.count(recipient);
    else await byRecipient.take(recipient);
  }

  return {
    userProbe: {
      check: (integrationId) => byUserProbe.check(integrationId),
      count: async (integrationId) => void (await byUserProbe.count(integrationId)),
    },
    async rare(request, about) {
      await byRare.take(`address ${clientKey(request.ip)}`);
      await byRare.take(`about ${about}`);
    },
    mail,
    async mayMail(recipient, purpose) {
      try {
        await mail(recipient, purpose);
        return true;
      } catch (error) {
        if (error instanceof Refusal) return false;
        throw error;
      }
    },
    async message(request, about) {
      await byMessage.take(`address ${clientKey(request.ip)}`);
      await byMessage.take(`about ${about}`);
    },
    async payByLink(request) {
      await byLink.take(clientKey(request.ip));
    },
    async claim(request, paymentId) {
      await byClaim.take(`address ${clientKey(request.ip)}`);
      await byClaim.take(`payment ${paymentId}`);
    },
    async receipt(request, paymentId, recipient) {
      await byReceipt.take(`address ${clientKey(request.ip)}`);
      await byReceipt.take(`payment ${paymentId}`);
      await mail(recipient, 'receipt');
    },
    async piBrowser(request, paymentId) {
      await byPiBrowser.take(`address ${clientKey(request.ip)}`);
      await byPiBrowser.take(`payment ${paymentId}`);
    },
    async faucet(request, wallet) {
      await byFaucet.take(`address ${clientKey(request.ip)}`);
      await byFaucet.take(`wallet ${wallet}`);
    },
  };
}
