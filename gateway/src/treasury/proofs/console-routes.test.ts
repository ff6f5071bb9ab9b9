import { expect, test } from 'vitest';
import { checkPath } from '../../../../web/proof/check.ts';
import type { ProofPath, SignedStatement } from '../../../../web/proof/statement.ts';
import { madeUpStatement, provedAsset, signedBy } from '../../../test/proofs/proof-fixtures.ts';
import { openConsole } from '../../../test/support/console.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import type { OwnProof } from './console-answers.ts';
import { keepProof } from './store.ts';

const app = await startApp();
const people = await openConsole(app);

test('a business sees the newest statement with its own path, in live mode alone', async () => {
  const member = await people.as('read-only');
  const own = async (place: string) => (await member<OwnProof>('GET', `${place}/proof`)).body.data;
  expect(await own(people.live)).toBe(null);

  const [units, owner] = [7n, app.integrationId];
  await seedBalance(app.db, { owner, kind: 'business', mode: 'live', asset: provedAsset, units });
  const { rows } = await app.db.query<{ id: bigint }>(
    "SELECT id FROM ledger_accounts WHERE kind = 'business' AND mode = 'live'",
  );
  const made = await madeUpStatement([units, 3n], (at) => (at === 0 ? `business:${owner}` : 'user:other'));
  const signed = await signedBy(made.treasury, made.statement);
  const leaves = [
    { account: rows[0]!.id, units },
    { account: 1_000_000n, units: 3n },
  ];
  const tree = { asset: provedAsset, tree: made.tree, leaves };
  await keepProof(app.serving.db, { signed, seed: made.seed, trees: [tree] });

  const shown = (await own(people.live))!;
  expect(shown).toMatchObject({ id: made.statement.id, url: `${app.baseUrl}/proof/${made.statement.id}` });
  const statement = JSON.parse(shown.statement) as SignedStatement;
  const path = JSON.parse(shown.path!) as ProofPath;
  expect(statement).toEqual(signed);
  expect(path.leaves.map(({ account, units: own }) => [account, own])).toEqual([[`business:${owner}`, '7']]);
  expect(checkPath(statement.statement, path)).toEqual([]);
  expect(await own(people.test)).toBe(null);
  const stranger = await (await people.as('stranger'))('GET', `${people.live}/proof`);
  expect(stranger.status).toBe(404);
});
