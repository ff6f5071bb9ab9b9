import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { endChild } from '../kit/postgres/child-process.ts';
import { programAt } from '../kit/programs.ts';
import type { Demo, DemoFile } from './seed.ts';

export type DemoShop = {
  /** Resolves when it listens; rejects when it ends instead. */
  open: Promise<void>;
  stop(): Promise<void>;
};

const main = join(import.meta.dirname, '../../../examples/shop/src/main.ts');
const stopMs = 4_000;

/**
 * Starts the example shop as a process of its own, like a merchant's: it knows only its keys and the gateway's addresses.
 * `program`: another program in its place, for tests.
 */
export function startDemoShop(config: Config, demo: Demo, program = main): DemoShop {
  const { file, webhookSecret, liveWebhookSecret } = demo;
  const { options, file: script } = programAt(program);
  const child = spawn(process.execPath, [...options, script], {
    // The channel ends with the gateway, and the shop with the channel. Standard output is the gateway's own.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      SHOP_PORT: String(config.shopPort),
      SHOP_DATA: join(config.dataDir, 'shop.sqlite'),
      FLORIN_URL: file.base_url,
      FLORIN_PAY_URL: file.pay_url,
      FLORIN_SECRET_KEY: file.secret_key,
      FLORIN_WEBHOOK_SECRET: webhookSecret,
      ...(liveWebhookSecret === null
        ? {}
        : {
            FLORIN_LIVE_KEY: file.live_secret_key,
            FLORIN_LIVE_WEBHOOK_SECRET: liveWebhookSecret,
            FLORIN_LIVE_NOTE:
              'On a demo network, whose coins are worth nothing. The payment page has some for you.',
            FLORIN_LIVE_CURRENCIES: liveCurrencies(file).join(' '),
          }),
    },
  });
  return { open: untilOpen(child), stop: () => endChild(child, stopMs) };
}

/** The currencies that have a demo network. */
function liveCurrencies({ chain, pi }: DemoFile): string[] {
  return [...(chain ? ['USDC', 'USDT', 'CSK'] : []), ...(pi ? ['PI'] : [])];
}

async function untilOpen(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.stdout?.once('data', () => resolve());
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`the demo shop ended with ${code}`)));
  await promise;
  child.stdout?.resume();
}
