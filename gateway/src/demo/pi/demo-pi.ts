import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { withDemoRates } from '../../config/demo-rates.ts';
import type { PiConfig } from '../../rails/pi/horizon/network.ts';
import { anyPort, untilFree } from '../chain/port.ts';
import { demoPiDirectory } from './directory.ts';
import { type PiProcess, startPiProcess } from './process.ts';

/** The record of an installation's demo Pi network, which the network writes at its first start. */
type PiRecord = {
  port: number;
  /** Of no other network, so that a signature for it is valid nowhere else. */
  passphrase: string;
  custody_account: string;
  /** Key of the account that its wallet pays from, `S...`. */
  payer_secret: string;
};

/** A Pi network of this installation's own, whose coins are worth nothing. */
export type DemoPi = PiProcess & {
  config: PiConfig;
  record: PiRecord;
  /** The address of the demo network, with Horizon at the root. */
  url: string;
};

export type DemoPiOptions = {
  dataDir: string;
  /** Null: the port of the last start; at the first start, a free one. */
  port: number | null;
  /** Origin of the hosted page, which may load its SDK. */
  pageOrigin: string;
  /** Waits for it, as long as the start waits for any part; returns whether it listens. */
  wait(part: { name: string; url: string; open: Promise<void> }): Promise<boolean>;
  /** A program in its place, for tests. */
  program?: string;
};

const demoPiName = 'Florin demo Pi';
const usualPort = 4300;
/** How long the network of a gateway that was killed may take to end. */
const predecessorMs = 5_000;

/**
 * Starts the demo Pi network of an installation in the state in which it was stopped or killed. Without its files a new
 * one is made. The gateway's start does not wait for it, except the first time: it then needs the account's name.
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
    asset.code === 'pi' ? { ...asset, network: demoPiName } : asset,
  );
  return withDemoRates({ ...config, assets: { ...config.assets, all }, pi });
}
