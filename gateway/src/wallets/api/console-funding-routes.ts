import { Type } from 'typebox';
import type { Call, Console } from '../../identity/console/console.ts';
import { type FundingSettings, getIntegration, type Mode } from '../../identity/integration.ts';
import { changeFundingSettings, fundingSettingsOf } from '../../identity/integrations/fundings.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { fieldReader, invalid } from '../../kit/http/fields.ts';
import { envelope, idempotencyKeyOf, sendAnswer } from '../../kit/http/http.ts';
import { type Answer, once, replayOr } from '../../kit/http/idempotency.ts';
import { decimalOf } from '../../money/money.ts';
import { amountsFault } from '../../payouts/api/schema.ts';
import type { PayoutDeps } from '../../payouts/lifecycle/state.ts';
import { FundedUser, FundingSettingsData } from '../console-answers.ts';
import {
  assertFunds,
  type FundUserInput,
  fundUser,
  fundUserFormReader,
  limitingGuesses,
  usesOfIntegration,
} from '../fund-user.ts';
import { approvalsOfFunding, orderFunding } from '../fundings/order.ts';
import type { WalletBackend } from '../wallet-backend.ts';

export type FundingConsoleDeps = PayoutDeps & { guards: Guards; db: Database; wallets: WalletBackend };

const SettingsBody = Type.Object({
  enabled: Type.Boolean(),
  daily_limits: Type.Record(Type.String(), Type.String()),
});

/** Funding users out of the balance, and what owners decide about it (contract.md#funding). */
export function fundingConsoleRoutes(dashboard: Console, deps: FundingConsoleDeps): void {
  const { db, guards, assets, wallets, now } = deps;
  const readFundUser = {
    test: fundUserFormReader(assets.of('test')),
    live: fundUserFormReader(assets.of('live')),
  };
  const readSettings = fieldReader(SettingsBody, {
    daily_limits: (value) => amountsFault(assets, 'daily_limits', value),
  });
  const settingsView = ({ enabled, limits }: Pick<FundingSettings, 'enabled' | 'limits'>) => ({
    enabled,
    daily_limits: limits,
  });
  const dataOf = (mode: Mode, settings: Pick<FundingSettings, 'enabled' | 'limits'>) => ({
    ...settingsView(settings),
    assets: assets.of(mode).all.map(({ code }) => code),
  });

  dashboard.get(
    'mode',
    '/fund-user-settings',
    { may: 'read', answer: FundingSettingsData },
    async ({ owner }) => {
      const settings = fundingSettingsOf(await getIntegration(db, owner.integrationId), owner.mode);
      return { message: 'Fund-user settings', data: dataOf(owner.mode, settings) };
    },
  );

  dashboard.write(
    'PUT',
    'mode',
    '/fund-user-settings',
    { may: 'manage payouts', fresh: true, answer: FundingSettingsData },
    async (tx, { owner, body }) => {
      const { enabled, daily_limits: limits } = readSettings(body);
      const before = await changeFundingSettings(tx, owner, { enabled, limits }, now());
      const change = {
        action: 'changed fund-user settings',
        subject: { kind: 'integration', id: owner.integrationId },
        before: { mode: owner.mode, ...settingsView(before) },
        after: { mode: owner.mode, ...settingsView({ enabled, limits }) },
      };
      return { message: 'Fund-user settings changed', data: dataOf(owner.mode, { enabled, limits }), change };
    },
  );

  dashboard.act(
    'POST',
    'mode',
    '/fund-user',
    { may: 'fund users', fresh: true, answer: FundedUser },
    async (call, record) => {
      const { integration, owner, request, reply, session } = call;
      const key = idempotencyKeyOf(request, `console ${session.account.id} POST ${request.url}`);
      // A form is easily sent twice, and money is not taken back.
      if (!key) throw invalid('Idempotency-Key', 'is required');
      const answer = await replayOr(db, key, async () => {
        const { mode } = owner;
        const input = readFundUser[mode](call.body);
        assertFunds(integration, mode);
        const approvals = await approvalsOfFunding(db, owner, call.merchant?.id ?? null, input);
        return await limitingGuesses(guards, integration.id, () => {
          if (approvals > 0) return order(deps, call, { input, approvals, key, record });
          const done = { action: 'funded a user', ...changeOf(call, input) };
          return fundUser(wallets, { integration, mode, input, key, record: (tx) => record(tx, done) });
        });
      });
      sendAnswer(reply, answer);
      return null;
    },
  );
}

type Order = {
  input: FundUserInput;
  approvals: number;
  key: Parameters<typeof once>[1];
  record: (tx: Tx, change: ReturnType<typeof changeOf> & { action: string }) => Promise<void>;
};

/** Orders a funding that others must approve, once for its key. */
async function order(
  deps: FundingConsoleDeps,
  call: Call<'mode'>,
  { input, approvals, key, record }: Order,
): Promise<Answer> {
  const { integration, owner, session } = call;
  const wallet = await deps.wallets.accountOf(input.username);
  const uses = usesOfIntegration(integration, owner.mode, input);
  const { id: accountId, email: name } = session.account;
  return await transaction(deps.db, (tx) =>
    once(tx, key, deps.now(), async () => {
      const requester = { accountId, name };
      const payout = await orderFunding(tx, deps, { owner, input, wallet, approvals, uses, requester });
      await record(tx, { action: 'asked to fund a user', ...changeOf(call, input) });
      const data = { payout_id: payout.id, approvals_needed: payout.approvalsNeeded };
      return envelope('Waits for approval', data);
    }),
  );
}

function changeOf({ owner }: Call<'mode'>, { username, asset, units }: FundUserInput) {
  return {
    subject: { kind: 'user', id: username },
    after: { amount: decimalOf(units, asset.scale), asset: asset.code, mode: owner.mode },
  };
}
