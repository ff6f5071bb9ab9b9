import { pino } from 'pino';
import { withKeptDemoChain } from '../../demo/chain/demo-config.ts';
import type { Mode } from '../../identity/integration.ts';
import { systemClock } from '../../kit/clock.ts';
import { openAssets } from '../../money/assets.ts';
import { createEndpoints } from '../../rails/evm/rpc/endpoints.ts';
import { type Reserve, type ReserveReport, readReserves } from '../../treasury/reserves/reserves.ts';
import { withDatabase } from '../with-database.ts';

/** Compares what an installation owes with what the networks show is held, looked up now. */
export async function compareReserves(env: NodeJS.ProcessEnv, mode: Mode = 'live'): Promise<ReserveReport> {
  return await withDatabase(env, async (db, settings) => {
    const { chains, assets, pi, testPi } = await withKeptDemoChain(settings);
    const asked = chains.map((chain) => ({ chain, endpoints: createEndpoints({ chain }) }));
    try {
      const reserves = {
        ...{ db, chains: asked, pi, testPi, now: systemClock, log: pino({ level: 'silent' }) },
        assets: openAssets(assets),
      };
      return await readReserves(reserves, mode);
    } finally {
      await Promise.all(asked.map(({ endpoints }) => endpoints.close()));
    }
  });
}

/**
 * Prints what is owed beside what the networks show is held. Returns the exit code: 0: both agree; 2: there is an unexplained
 * difference; 1: a network could not be read.
 */
export async function reserves(
  env: NodeJS.ProcessEnv,
  options: { json: boolean; test?: boolean },
): Promise<number> {
  const report = await compareReserves(env, options.test ? 'test' : 'live');
  const { items, missing } = report;
  process.stdout.write(options.json ? `${JSON.stringify({ items })}\n` : describeReserves(report));
  for (const { asset, why } of missing) process.stderr.write(`${asset} could not be compared: ${why}\n`);
  if (missing.length > 0) return 1;
  return items.every(({ difference }) => difference === '0') ? 0 : 2;
}

/** The reserves, for people. An asset of which nothing is owed or held is left out. */
function describeReserves({ items, missing }: ReserveReport): string {
  const shown = items.filter(isUsed);
  if (shown.length === 0) return missing.length > 0 ? '' : 'Nothing is owed and nothing is held.\n';
  return shown.map((item) => `${linesOf(item).join('\n')}\n`).join('');
}

function isUsed({ owed, held, explained, difference }: Reserve): boolean {
  const amounts = [...Object.values(owed), ...Object.values(held), difference];
  return explained.length > 0 || amounts.some((amount) => amount !== '0');
}

function linesOf({ asset, block, owed, held, explained, difference }: Reserve): string[] {
  const list = (amounts: Record<string, string>): string =>
    Object.entries(amounts)
      .filter(([, amount]) => amount !== '0')
      .map(([name, amount]) => `${name} ${amount}`)
      .join(', ') || 'nothing';
  return [
    `${asset} at block ${block}`,
    `  owed: ${list(owed)}`,
    `  held: ${list(held)}`,
    ...explained.map(({ why, amount }) => `  ${amount} ${why}`),
    difference === '0' ? '  no difference' : `  DIFFERENCE: ${difference}, which nothing explains`,
  ];
}
