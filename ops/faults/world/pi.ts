import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import { createCore } from '../../../gateway/test/horizon/core/core.ts';
import { type Horizon, startHorizon } from '../../../gateway/test/horizon/horizon.ts';
import type { Ends } from '../../stories/tools.ts';
import type { WorldClock } from './clock.ts';
import { openRelay, type Relay } from './relay.ts';
import type { PiNetwork } from './world.ts';

export type WorldPi = PiNetwork & {
  /** Two servers of one ledger, each with what goes wrong there and a relay before it. */
  horizons: readonly { faults: Horizon['faults']; relay: Relay }[];
  /** The entry of the configuration file. */
  entry: object;
};

const passphrase = 'Florin Faults Pi';
const coin = 10_000_000n;
const customers = 8;
/** An older ledger is stale. */
const closeMs = 1_000;

export async function openWorldPi(folder: string, clock: WorldClock, ends: Ends): Promise<WorldPi> {
  const custody = Keypair.random();
  const people = Array.from({ length: customers }, () => Keypair.random());
  const core = createCore({
    passphrase,
    now: () => new Date(clock.now()),
    genesis: {
      [custody.publicKey()]: 1_000_000n * coin,
      ...Object.fromEntries(people.map((person) => [person.publicKey(), 1_000_000n * coin])),
    },
  });
  ends.push(async () => core.end());
  const timer = setInterval(() => core.close(), closeMs);
  ends.push(async () => clearInterval(timer));
  const start = async () => {
    const horizon = await startHorizon({ core });
    ends.push(horizon.stop);
    return horizon;
  };
  const honest = await start();
  const horizons = [];
  for (const { url, faults } of [await start(), await start()]) {
    const relay = await openRelay(0, Number(new URL(url).port));
    ends.push(relay.close);
    horizons.push({ faults, relay });
  }
  const keyFile = join(folder, 'custody.key');
  await writeFile(keyFile, `${custody.secret()}\n`, { mode: 0o600 });
  return {
    horizonUrl: honest.url,
    passphrase,
    custodyAccount: custody.publicKey(),
    customers: people.map((person) => ({ address: person.publicKey(), secret: person.secret() })),
    horizons,
    entry: {
      ...{ passphrase, account: custody.publicKey(), signer: { key_file: keyFile } },
      horizon: horizons.map(({ relay }) => `http://127.0.0.1:${relay.port}`),
    },
  };
}
