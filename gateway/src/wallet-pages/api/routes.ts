import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { placeOf } from '../../identity/accounts/auth-place.ts';
import type { SecurityLog } from '../../identity/audit/security-log.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { compressed } from '../../kit/http/compressed.ts';
import { ownOrigins } from '../../kit/net/own-origins.ts';
import { serveFiles } from '../../kit/pages/stored-files.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Assets } from '../../money/assets.ts';
import type { SignUpMode } from '../../wallets/accounts/sign-up.ts';
import { appFiles } from '../app-files.ts';
import { loadWalletAssets } from '../assets.ts';
import { walletHeaders } from '../layout.ts';
import { walletLetters } from '../letters.ts';
import { sayIn } from '../locale.ts';
import { offlineView } from '../views/entrance.ts';
import { accountForms } from './account.ts';
import { currencyForm } from './currency.ts';
import { createDoor } from './door.ts';
import { createFrame } from './frame.ts';
import { historyPages } from './history.ts';
import { moneyPages } from './money.ts';
import { movingForms } from './moving.ts';
import { passkeyForms } from './passkeys.ts';
import { type PayDeps, payForms } from './pay.ts';
import { type OwnProofs, proofPages } from './proof.ts';
import { recoveryForms } from './recovery.ts';
import { type EntranceDeps, signInForms } from './sign-in.ts';
import { signUpForms } from './sign-up.ts';
import { type WithdrawDeps, withdrawForms } from './withdraw.ts';

export type WalletPageDeps = Omit<PayDeps, keyof EntranceDeps> &
  Omit<WithdrawDeps, keyof EntranceDeps> & {
    db: Database;
    guards: Guards;
    securityLog: SecurityLog;
    seal: Seal;
    assets: Assets;
    baseUrl: string;
    /** Further origins by which people reach the gateway. */
    origins: readonly string[];
    signUp: SignUpMode;
    proofs: OwnProofs;
    now: Clock;
  };

/** The pages and forms of wallets (contract.md#wallets). */
export async function walletPageRoutes(app: FastifyInstance, deps: WalletPageDeps): Promise<void> {
  const { db, seal, baseUrl, origins, now } = deps;
  const url = `${baseUrl}/wallet`;
  const { pathname: path } = new URL(url);
  const files = await loadWalletAssets(path);
  const isOwnOrigin = ownOrigins([baseUrl, ...origins]);
  const { passkeyHost, origins: passkeyOrigins } = placeOf(baseUrl);

  await app.register(async (pages) => {
    await pages.register(formbody, { bodyLimit: 64 * 1024 });
    pages.addHook('onRequest', async (_request, reply) => {
      void reply.headers(walletHeaders);
    });
    pages.addHook('onRequest', deps.guards.anyone);
    pages.addHook('onSend', compressed({ type: 'text/html', foreign: false }));
    await serveFiles(pages, Object.values(files));
    for (const { path: name, contentType, body } of appFiles(path, files, sayIn('en'))) {
      pages.get(`/wallet/${name}`, { schema: { hide: true } }, async (_request, reply) =>
        reply.type(contentType).send(body()),
      );
    }
    pages.get('/wallet', { schema: { hide: true } }, async (_request, reply) =>
      reply.redirect(`${path}/`, 303),
    );

    const door = createDoor({ baseUrl, path, seal, isOwnOrigin });
    const site = { path, url, assets: deps.assets, files, signUp: deps.signUp };
    const frame = createFrame(pages, { db, now, door, site });
    const passkeyPlace = { host: passkeyHost, origins: passkeyOrigins };
    const all = { ...deps, door, site, letters: walletLetters(url), passkeyPlace };
    frame.page('offline', async ({ context }) => offlineView({ ...context, session: null }));
    signInForms(frame, all);
    signUpForms(frame, all);
    recoveryForms(frame, all);
    passkeyForms(pages, frame, all);
    accountForms(frame, all);
    moneyPages(pages, frame, all);
    historyPages(pages, frame, all);
    proofPages(pages, frame, all);
    currencyForm(frame, all);
    movingForms(frame, all);
    payForms(frame, all);
    withdrawForms(frame, all);
  });
}
