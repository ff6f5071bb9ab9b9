import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import { identityErrors } from '../../identity/errors.ts';
import type { Mode } from '../../identity/integration.ts';
import type { Database } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import type { AssetCode } from '../../money/money.ts';
import { makeTopUpAddress, type TopUpDeps, topUpAddresses } from '../arrivals/top-ups.ts';
import { payoutErrors } from '../payout/errors.ts';
import { TopUpAddress } from './answers.ts';
import { TopUpPage } from './console-answers.ts';
import { moneyParsers, PayoutBody, strictMoney } from './schema.ts';

const Body = Type.Object({ asset: PayoutBody.properties.asset });

export type TopUpConsoleDeps = TopUpDeps & {
  db: Database;
  /** The assets that the installation's networks take. */
  taken: readonly AssetCode[];
};

/** The addresses from which a business tops its balance up, in the dashboard. */
export function topUpConsoleRoutes(dashboard: Console, deps: TopUpConsoleDeps): void {
  const { db, assets, taken } = deps;
  const readerOf = (mode: Mode) =>
    fieldReader(Body, {}, { asset: moneyParsers(assets.of(mode)).asset }, strictMoney);
  const readers = { test: readerOf('test'), live: readerOf('live') };
  const offeredIn = (mode: Mode): readonly AssetCode[] =>
    mode === 'live' ? taken : assets.of('test').all.map(({ code }) => code);

  dashboard.get('mode', '/top-up-addresses', { may: 'read', answer: TopUpPage }, async ({ owner }) => {
    const { integrationId: id, mode } = owner;
    const items = await topUpAddresses(db, deps, { id, mode });
    const made = new Set(items.map(({ asset }) => asset));
    const data = { items, offered: offeredIn(mode).filter((asset) => !made.has(asset)) };
    return { message: 'Top-up addresses', data };
  });

  dashboard.write(
    'POST',
    'mode',
    '/top-up-addresses',
    { may: 'make payouts', answer: TopUpAddress },
    async (tx, { owner, integration, body }) => {
      const { integrationId: id, mode } = owner;
      const { asset } = readers[mode](body);
      if (mode === 'live' && integration.approval !== 'approved') throw refuse(identityErrors.not_approved);
      if (!offeredIn(mode).includes(asset.code)) throw refuse(payoutErrors.asset_unsupported);
      const data = await makeTopUpAddress(tx, deps, { id, mode }, asset);
      const change = {
        action: 'asked for a top-up address',
        subject: { kind: 'integration', id },
        after: { mode, asset: asset.code, address: data.address },
      };
      return { message: 'Top-up address', data, change };
    },
  );
}
