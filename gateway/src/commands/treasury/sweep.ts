import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Config } from '../../config/config.ts';
import { withKeptDemoChain } from '../../demo/chain/demo-config.ts';
import { systemClock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Secret } from '../../kit/secret.ts';
import { openAssets } from '../../money/assets.ts';
import { livePaymentIdsOf } from '../../payments/read/by-id.ts';
import type { ChainConfig, Hex } from '../../rails/evm/config/chains.ts';
import { createEndpoints } from '../../rails/evm/rpc/endpoints.ts';
import { RpcFault } from '../../rails/evm/rpc/rpc-fault.ts';
import { KeyFault } from '../../rails/evm/send/key.ts';
import type { SweepDeps } from '../../rails/evm/sweep/deps.ts';
import { sweepsById } from '../../rails/evm/sweep/overview.ts';
import { createSweeper, previewSweeps, type SweepTarget } from '../../rails/evm/sweep/sweeper.ts';
import { readMinimumRates, usdOfAssets } from '../../rates/known-rates.ts';
import { withDatabase } from '../with-database.ts';
import { describePlan, describeSent } from './sweep-report.ts';

export type SweepOptions = {
  /** Only this chain. */
  chain?: string | undefined;
  keyFile?: string | undefined;
  /** The address of a token, with the references of the payments to whose addresses it was sent. */
  token?: string | undefined;
  payments?: string | undefined;
  dryRun: boolean;
  all: boolean;
};

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** How long the command waits for its transactions; the gateway follows them afterwards. */
const maxWaitSeconds = 60;
const glanceMs = 1_000;

/** Moves deposits to the treasury, or shows what would be moved. Returns the exit code. */
export async function sweep(env: NodeJS.ProcessEnv, options: SweepOptions): Promise<number> {
  return await withDatabase(env, async (db, settings) => {
    const config = await withKeptDemoChain(settings);
    const chains = chainsOf(config, options.chain);
    const what = await readWhat(db, options);
    const rates = await readMinimumRates(db, config.rates, systemClock());
    const assets = openAssets(config.assets);
    const usdOf = usdOfAssets(rates, assets);
    let faults = 0;
    for (const chain of chains) {
      const endpoints = createEndpoints({ chain });
      const deps = { db, chain, endpoints, usdOf, now: systemClock, log: pino({ level: 'silent' }) };
      try {
        if (options.dryRun) {
          for (const line of describePlan(await previewSweeps(deps, what), deps)) print(line);
        } else if (!(await sweepChain(deps, what, options.keyFile ?? chain.sweep.gasKeyFile))) {
          faults += 1;
        }
      } catch (error) {
        // An error on one chain does not affect the others.
        if (!(error instanceof RpcFault || error instanceof KeyFault)) throw error;
        print(`${chain.name} (${chain.id}): ${error.message}`);
        faults += 1;
      } finally {
        await endpoints.close();
      }
    }
    return faults === 0 ? 0 : 1;
  });
}

/** False when nothing could be sent, or something was reverted. */
async function sweepChain(deps: SweepDeps, what: SweepTarget, keyFile: Secret | null): Promise<boolean> {
  const { db, chain } = deps;
  if (keyFile === null) {
    throw new KeyFault(
      'there is no key that pays for gas. Put the private key of an account with a little of the coin into a file that' +
        ' only you can read, and name the file by --key-file or as sweep.gas_key_file of the chain. --dry-run needs none',
    );
  }
  const sweeper = createSweeper({ ...deps, keyFile });
  const round = await sweeper.sweep(what);
  if (!round) {
    print(`${chain.name} (${chain.id}): another process is sweeping it; try again in a minute`);
    return false;
  }
  if (round.plan) for (const line of describePlan(round.plan, deps)) print(line);
  for (const fault of round.faults) print(`  note: ${fault}`);
  const ids = round.open.map(({ id }) => id);
  for (let waited = 0; waited < maxWaitSeconds * 1000; waited += glanceMs) {
    const sent = await sweepsById(db, ids);
    if (sent.every(({ state }) => state !== 'prepared' && state !== 'sent')) break;
    await sleep(glanceMs);
    await sweeper.sweep(null);
  }
  const sent = await sweepsById(db, ids);
  for (const each of sent) print(`  ${describeSent(each, chain)}`);
  return sent.every(({ succeeded }) => succeeded !== false);
}

function chainsOf({ chains }: Config, id: string | undefined): ChainConfig[] {
  if (chains.length === 0) throw new Error('no chain is configured: see docs/configuration.md');
  const chosen = id === undefined ? chains : chains.filter((chain) => `${chain.id}` === id);
  if (chosen.length === 0) throw new Error(`there is no chain ${id} in the configuration`);
  const swept = chosen.filter(({ receiving }) => receiving.kind === 'forwarder');
  if (swept.length === 0) {
    throw new Error('money at the addresses of an xpub is moved by the wallet that holds its key');
  }
  return swept;
}

async function readWhat(db: Database, { token, payments, all }: SweepOptions): Promise<SweepTarget> {
  if (token === undefined && payments === undefined) return { kind: all ? 'all' : 'worthwhile' };
  if (token === undefined || payments === undefined) {
    throw new Error(
      '--token and --payment go together: the token that was sent, and the payments that it was sent for',
    );
  }
  if (!/^0x[0-9a-f]{40}$/i.test(token)) throw new Error(`${token} is not the address of a token`);
  const references = payments.split(',').filter((each) => each !== '');
  const ids = await livePaymentIdsOf(db, references);
  const unknown = references.find((reference) => !ids.has(reference));
  if (unknown !== undefined) throw new Error(`there is no live payment ${unknown}`);
  return { kind: 'token', token: token.toLowerCase() as Hex, paymentIds: [...ids.values()] };
}
