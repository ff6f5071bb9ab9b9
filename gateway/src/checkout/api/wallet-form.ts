import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieScope, createCookies } from '../../identity/accounts/cookies.ts';
import { deviceSeconds, type Origin } from '../../identity/accounts/known-places.ts';
import { faultOfPassword } from '../../identity/accounts/passwords.ts';
import type { SecurityLog } from '../../identity/audit/security-log.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { randomBase62 } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import type { StateDeps } from '../../payments/payment/state.ts';
import { rememberUserPlace, tryPassword } from '../../wallets/accounts/password-try.ts';
import { payFromWallet } from '../../wallets/pay.ts';
import type { PayOutcome, RemotePayments } from '../../wallets/remote-payments/pay.ts';
import { payWithinLimits, rememberPayer } from '../../wallets/remote-payments/sign-in.ts';
import { isPasswordGiven } from '../../wallets/users.ts';
import type { NoticeSlug } from '../notices.ts';

export type WalletFormDeps = StateDeps & {
  db: Database;
  guards: Guards;
  securityLog: SecurityLog;
  seal: Seal;
  payUrl: string;
  /** Address of the wallet's pages; null: there are none. */
  walletUrl: string | null;
  /** Another system that holds the users' wallets; null: this installation's ledger does. */
  remote: { name: string; payments: RemotePayments } | null;
};

type Form = { username: string; password: string };

/** Pays from the wallet whose name and password the form has. Throws `rate_limited`, and the refusals of the payment. */
export type WalletForm = (
  paymentId: string,
  form: Form,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<NoticeSlug | undefined>;

/** The notice of each outcome; undefined: the state of the page shows it. */
const noticeOf: Record<PayOutcome, NoticeSlug | undefined> = {
  paid: undefined,
  checking: undefined,
  waiting: undefined,
  unanswered: 'wallet_unanswered',
  too_late: 'not_possible',
  wrong_credentials: 'wrong_password',
  insufficient_balance: 'insufficient_funds',
  refused: 'wallet_refused',
};

/** No name or password is longer: a longer one is not sent to the other system. */
const longestField = 255;

export function createWalletForm(deps: WalletFormDeps): WalletForm {
  const { db, remote } = deps;
  const devices = createDevices(deps);

  async function payElsewhere(
    { payments }: NonNullable<typeof remote>,
    paymentId: string,
    form: Form,
    origin: Origin,
  ): Promise<{ notice: NoticeSlug | undefined; remember: ((at: Origin) => Promise<unknown>) | null }> {
    if (Object.values(form).some((text) => text === '' || text.length > longestField))
      return { notice: 'wrong_password', remember: null };
    const pay = () => payments.pay(paymentId, form);
    const { outcome, isProved } = await payWithinLimits(deps, form, origin, pay);
    return { notice: noticeOf[outcome], remember: isProved ? (at) => rememberPayer(deps, form, at) : null };
  }

  return async (paymentId, form, request, reply) => {
    const origin = devices.originOf(request);
    if (remote) {
      const { notice, remember } = await payElsewhere(remote, paymentId, form, origin);
      if (remember) await remember(devices.keep(origin, reply));
      return notice;
    }
    const userId = await tryPassword(deps, form, origin);
    if (!userId) return 'wrong_password';
    await rememberUserPlace(deps, userId, devices.keep(origin, reply));
    // A password that soon may not be used any more must be changed on the wallet's pages, if there are any.
    const isOutdated = faultOfPassword(form.password) !== null || (await isPasswordGiven(db, userId));
    if (isOutdated && deps.walletUrl !== null) return 'pay_in_wallet';
    await transaction(db, (tx) => payFromWallet(tx, deps, paymentId, userId));
    return undefined;
  };
}

/** The page's only cookie, by which it recognises a device. */
function createDevices({ seal, payUrl }: Pick<WalletFormDeps, 'seal' | 'payUrl'>) {
  const { protocol, pathname } = new URL(payUrl);
  const secure = protocol === 'https:';
  const scope = cookieScope('florin-pay', { secure, path: pathname });
  const cookies = createCookies({
    names: { device: `${scope.prefix}device` },
    ...scope,
    secret: seal.derive('devices of the hosted page').toString('hex'),
    secure,
  });
  return {
    /** A damaged cookie counts as none. */
    originOf({ headers, ip }: FastifyRequest): Origin {
      try {
        return { device: cookies.read(headers.cookie).device, ip };
      } catch (error) {
        if (error instanceof Refusal) return { device: null, ip };
        throw error;
      }
    },
    /** Sets the cookie of the device, and returns the origin with that device. */
    keep(origin: Origin, reply: FastifyReply): Origin {
      const device = origin.device ?? randomBase62(32);
      void reply.header('set-cookie', cookies.set('device', device, deviceSeconds));
      return { ...origin, device };
    },
  };
}
