import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { withDemoRates } from '../../config/demo-rates.ts';
import { type PiConfig, piAsset } from '../../rails/pi/horizon/network.ts';
import { anyPort, untilFree } from '../chain/port.ts';
import { demoPiDirectory } from './directory.ts';
import { type PiProcess, startPiProcess } from './process.ts';

/** What the demo Pi network of an installation remembers of itself; it writes it at its first start. */
export type PiRecord = {
  port: number;
  /** Of no other network, so that what is signed for it is good nowhere else. */
  passphrase: string;
  custody_account: string;
  /** Key of the account that its wallet pays from, `S...`. */
  payer_secret: string;
};

/** A Pi network of this installation's own, whose coins are worth nothing. */
export type DemoPi = PiProcess & {
  config: PiConfig;
  record: PiRecord;
  /** Where all of it is served: Horizon at the root. */
  url: string;
};

export type DemoPiOptions = {
  dataDir: string;
  /** Null: that of the last time; the first time one that is free. */
  port: number | null;
  /** Origin of the hosted page, which may load its SDK. */
  pageOrigin: string;
  /** Waits for it, as long as the start does: answers whether it listens. */
  wait(part: { name: string; url: string; open: Promise<void> }): Promise<boolean>;
  /** What stands for its program in a test. */
  program?: string;
};

export const demoPiName = 'Florin demo Pi';
const usualPort = 4300;
/** How long the network of a gateway that was killed may take to end. */
const predecessorMs = 5_000;

/**
 * Starts the demo Pi network of an installation where it stood when it was stopped or killed; without its files anew. One
 * that is late is there without an answer for a while; only the first time is it waited for, because it names its account.
 */
export async function startDemoPi({ dataDir, port, pageOrigin, ...options }: DemoPiOptions): Promise<DemoPi> {
  const directory = demoPiDirectory(dataDir);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const earlier = await readRecord(directory);
  const chosen = port ?? earlier?.port ?? (await anyPort(usualPort));
  await untilFree(chosen, predecessorMs, { name: 'the demo Pi network', setting: 'PI_PORT' });
  const process = startPiProcess(directory, chosen, pageOrigin, options.program);
  const url = `http://127.0.0.1:${chosen}`;
  const isOpen = await options.wait({ name: 'demo Pi network', url, open: process.open });
  if (!isOpen && !earlier) await process.open;
  const record = await readRecord(directory);
  if (!record) {
    await process.stop();
    throw new Error('the demo Pi network wrote nothing of itself');
  }
  return { ...process, url, record, config: configOf(directory, url, record) };
}

/** Null where there is none yet. */
async function readRecord(directory: string): Promise<PiRecord | null> {
  const text = await readFile(join(directory, 'network.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as PiRecord);
}

function configOf(directory: string, url: string, { passphrase, custody_account }: PiRecord): PiConfig {
  return {
    passphrase,
    horizonUrls: [url],
    account: custody_account,
    explorer: null,
    platform: {
      url: `${url}/v2`,
      keyFile: join(directory, 'platform.key'),
      sdkUrl: `${url}/pi-sdk.js`,
      sandbox: true,
    },
    signer: { kind: 'file', keyFile: join(directory, 'custody.key') },
    walletUrl: `${url}/wallet`,
  };
}

/** The configuration with the demo Pi network; its asset is named after it, wherever it shows. */
export function withDemoPi(config: Config, pi: PiConfig): Config {
  const all = config.assets.all.map((asset) =>
    asset.code === piAsset ? { ...asset, network: demoPiName } : asset,
  );
  return withDemoRates({ ...config, assets: { ...config.assets, all }, pi });
}
