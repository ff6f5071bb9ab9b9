import { writeFile } from 'node:fs/promises';
import { pino } from 'pino';
import { signerOf } from '../../../../web/proof/secp256k1.ts';
import {
  addressText,
  decimalOfUnits,
  heldOf,
  owedOf,
  type ProvedAddress,
  type SignedStatement,
} from '../../../../web/proof/statement.ts';
import { withKeptDemoChain } from '../../demo/chain/demo-config.ts';
import { commandActor, recordChange } from '../../identity/audit/audit-log.ts';
import { systemClock } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { isUuid } from '../../kit/ids.ts';
import { openAssets } from '../../money/assets.ts';
import { openSeal } from '../../operations/master-key.ts';
import { readStamp } from '../../operations/stamps/stamper.ts';
import { readAddress } from '../../rails/evm/addresses/forwarders.ts';
import { createEndpoints } from '../../rails/evm/rpc/endpoints.ts';
import { makeProof } from '../../treasury/proofs/make.ts';
import { findProof, writeSignature } from '../../treasury/proofs/store.ts';
import { withDatabase } from '../with-database.ts';

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/**
 * Makes a statement of what is owed and held, and publishes it. Returns the exit code: 0: all that is owed is held and signed
 * for; 2: not so.
 */
export async function prove(env: NodeJS.ProcessEnv, { out }: { out: string | undefined }): Promise<number> {
  const signed = await withDatabase(env, async (db, settings) => {
    const { chains, assets, pi, baseUrl, masterKey } = await withKeptDemoChain(settings);
    const asked = chains.map((chain) => ({ chain, endpoints: createEndpoints({ chain }) }));
    try {
      return await makeProof({
        ...{
          db,
          seal: await openSeal(db, masterKey),
          assets: openAssets(assets),
          chains: asked,
          pi,
          baseUrl,
        },
        ...{ readStamp, now: systemClock, log: pino({ level: 'silent' }) },
      });
    } finally {
      await Promise.all(asked.map(({ endpoints }) => endpoints.close()));
    }
  });
  if (out !== undefined) await writeFile(out, `${JSON.stringify(signed)}\n`);
  return describe(signed);
}

function describe(signed: SignedStatement): number {
  const { statement } = signed;
  print(`Statement ${statement.id}: ${statement.installation}/proof/${statement.id}.json`);
  let isWhole = true;
  for (const asset of statement.assets) {
    const [owed, held] = [owedOf(asset), heldOf(statement, asset.asset)];
    isWhole &&= held >= owed;
    const short = held < owed ? ', WHICH IS TOO LITTLE' : '';
    const decimal = (units: bigint) => decimalOfUnits(units, asset.scale);
    print(`${asset.asset}: ${decimal(owed)} owed, ${decimal(held)} held${short}`);
  }
  const open = unsignedOf(signed);
  if (open.length > 0)
    print('Nobody has signed for these addresses yet; florin prove --texts shows what to sign:');
  for (const { chain_id, address } of open) print(`  ${address} on chain ${chain_id}`);
  return isWhole && open.length === 0 ? 0 : 2;
}

const unsignedOf = ({ statement, addresses }: SignedStatement): ProvedAddress[] =>
  statement.addresses.filter(
    ({ kind, chain_id, address }) =>
      kind !== 'forwarder' &&
      chain_id !== null &&
      !addresses.some((each) => each.chain_id === chain_id && each.address === address),
  );

async function find(env: NodeJS.ProcessEnv, id: string): Promise<SignedStatement> {
  const found = isUuid(id) ? await withDatabase(env, (db) => findProof(db, id)) : null;
  if (!found) throw new Error(`there is no statement ${id}`);
  return found;
}

/** Prints what is to be signed, by `personal_sign`, for addresses of a statement. Returns the exit code. */
export async function showTexts(env: NodeJS.ProcessEnv, id: string): Promise<number> {
  const signed = await find(env, id);
  for (const { chain_id, address } of unsignedOf(signed))
    print(`${address} on chain ${chain_id} signs:\n\n${addressText(signed.statement, address)}\n`);
  return 0;
}

/** `chainId`: which one, where the address is on several. `isContract`: it says by itself whether a signature is its own. */
export type SignOrder = {
  id: string;
  address: string;
  signature: string;
  chainId?: string;
  isContract: boolean;
};

/** Adds a signature that was made elsewhere for an address of a statement. Returns the exit code. */
export async function addSignature(env: NodeJS.ProcessEnv, order: SignOrder): Promise<number> {
  const { id, signature, chainId, isContract } = order;
  const signed = await find(env, id);
  const address = readAddress(order.address);
  const listed = signed.statement.addresses.filter(
    (each) =>
      each.address === address &&
      each.chain_id !== null &&
      (chainId === undefined || each.chain_id.toString() === chainId),
  );
  const [known] = listed;
  if (address === null || !known || known.chain_id === null)
    throw new Error(`the statement does not list ${order.address}`);
  if (listed.length > 1) throw new Error('--chain says which, because the address is on several chains');
  const by = isContract ? null : signerOf(addressText(signed.statement, address), signature);
  if (!isContract && (by === null || (known.kind === 'wallet' && by !== address)))
    throw new Error(
      `the signature is not of ${order.address}, or of another text: --contract for a contract`,
    );
  const { chain_id } = known;
  await withDatabase(env, (db) =>
    transaction(db, async (tx) => {
      const now = systemClock();
      await writeSignature(tx, id, { chain_id, address, by, signature }, now);
      const subject = { kind: 'proof', id };
      await recordChange(tx, commandActor, { action: 'added a signature', subject, after: { address } }, now);
    }),
  );
  print(`${address} is signed for.`);
  return 0;
}
