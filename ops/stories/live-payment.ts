import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../../gateway/src/config/config.ts';
import { type DemoChain, startDemoChain } from '../../gateway/src/demo/chain/demo-chain.ts';
import { assetsOfDemoChain } from '../../gateway/src/demo/chain/demo-config.ts';
import { demoChain } from '../../gateway/test/chain/demo-chain.ts';
import type { Machine } from './machine.ts';
import type { Operator } from './operator.ts';

/** A shop that takes live payments on the demo chain. */
export type Shop = { key: string; chain: DemoChain };

const settings = '/etc/florin';
/** Where the file of chains is on a machine. */
export const chainsFile = `${settings}/chains.json`;
/** The lines of a shell that have the gateway of a machine read it. */
export const useChains = `echo CONFIG_FILE=${chainsFile} >> ${settings}/florin.env
  systemctl restart florin
  until curl --silent --fail --output /dev/null http://127.0.0.1:4000/ready; do sleep 0.2; done`;
const settledMs = 40_000;

/** Starts the demo chain, names it in the settings of the machine, and makes a shop that an operator has approved. */
export async function openShop(machine: Machine, dataDir: string): Promise<Shop> {
  const assets = assetsOfDemoChain(readConfig({ DATA_DIR: dataDir }));
  const chain = await startDemoChain({ dataDir, port: null, assets, log: pino({ level: 'silent' }) });
  await machine.run(`cat > ${chainsFile} <<'END'\n${configFile(chain)}\nEND\n${useChains}`);
  const made = await machine.run('florin integrations create Shop');
  const { integration_id: id, live_secret_key: key } = JSON.parse(made) as Record<string, string>;
  await machine.run(`florin integrations approve ${id}`);
  return { key: key!, chain };
}

/** The file of chains as an operator writes it. */
function configFile({ config, rpcUrl }: DemoChain): string {
  const { id, name, finality, confirmations, blockSeconds, receiving, tokens } = config;
  if (receiving.kind !== 'forwarder') throw new Error('The demo chain has a treasury');
  const chain = {
    ...{ id, name, rpc: [rpcUrl], finality, confirmations, block_seconds: blockSeconds },
    treasury: receiving.treasury,
    tokens: Object.fromEntries(tokens.map(({ asset, address }) => [asset, address])),
    native: { symbol: config.nativeSymbol, usd: '1' },
  };
  return JSON.stringify({ chains: [chain] }, null, 2);
}

type Created = { PaymentURL: string; PaymentData: { payment_reference: string } };
type Around = { machine: Machine; operator: Operator; domain: string };

/** Sends a request to the machine by https, as the back end of a shop. Returns the data of its answer. */
export async function ask<T>(
  { machine, domain }: Pick<Around, 'machine' | 'domain'>,
  { method, path, key, body }: { method: string; path: string; key?: string; body?: object },
): Promise<T> {
  const flags = ['--silent', '--show-error', '--insecure', `--request ${method}`];
  if (key) flags.push(`--header 'authorization: Bearer ${key}'`);
  if (body) flags.push(`--header 'content-type: application/json' --data '${JSON.stringify(body)}'`);
  flags.push('--fail-with-body');
  const answer = await machine.run(`curl ${flags.join(' ')} 'https://${domain}${path}'`);
  return JSON.parse(answer) as T;
}

/** A customer opens the page of a payment and pays it by a plain transfer. Returns its reference when it is complete. */
export async function payOne(around: Around, { key, chain }: Shop): Promise<string> {
  const body = { amount: 25.5, currency: 'USDC', payment_type: 'deposit' };
  const { data } = await ask<{ data: Created }>(around, {
    method: 'PUT',
    path: '/payment/create',
    key,
    body,
  });
  const page = await around.operator.open(data.PaymentURL);
  const { pathname, search } = new URL(data.PaymentURL);
  const destination = await until(async () => {
    const path = `${pathname}/state${search}`;
    const state = await ask<{ destinations: { asset: string; address: string }[] }>(around, {
      method: 'GET',
      path,
    });
    return state.destinations[0];
  });
  const { record, rpcUrl } = chain;
  const payer = demoChain({
    ...{ chain_id: record.chain_id, rpc_url: rpcUrl, tokens: record.tokens },
    payer_private_key: record.keys.payer,
  } as Parameters<typeof demoChain>[0]);
  await payer.send(destination.asset, destination.address, '25.5');
  const reference = data.PaymentData.payment_reference;
  await until(async () => {
    const status = await statusOf(around, key, reference);
    if (status !== 'completed') throw new Error(`the payment is ${status}`);
    return status;
  });
  await page.close();
  return reference;
}

/** The status of a payment, as its shop is told it. */
export async function statusOf(
  around: Pick<Around, 'machine' | 'domain'>,
  key: string,
  reference: string,
): Promise<string> {
  const path = `/payments/${reference}`;
  const { data } = await ask<{ data: { payment_status: string } }>(around, { method: 'GET', path, key });
  return data.payment_status;
}

/** Looks again and again until there is something; throws with what stood in the way where that takes too long. */
async function until<T>(look: () => Promise<T>): Promise<NonNullable<T>> {
  for (const endMs = performance.now() + settledMs; ; await sleep(200)) {
    let fault = 'there is nothing';
    const found = await look().catch((error: Error) => {
      fault = error.message;
    });
    if (found) return found;
    if (performance.now() > endMs) throw new Error(`It did not come in time: ${fault}`);
  }
}
