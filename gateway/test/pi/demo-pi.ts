import { Asset, Horizon, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import type { DemoFile } from '../../src/demo/seed.ts';
import { openDatabase } from '../../src/kit/db/db.ts';
import { unitsOfDecimal } from '../../src/money/money.ts';
import { piScale } from '../../src/rails/pi/horizon/network.ts';
import type { RunningGateway } from '../support/running.ts';

export type DemoPiFile = NonNullable<DemoFile['pi']>;

const validSeconds = 60;

/** The demo Pi network as whoever holds its payer sees it, by Pi's own kind of client. */
export function demoPi({ horizon_url, network_passphrase, payer_secret }: DemoPiFile) {
  const server = new Horizon.Server(horizon_url, { allowHttp: true });
  const payer = Keypair.fromSecret(payer_secret);
  async function submit(operations: ReturnType<typeof Operation.payment>[], memo: string | null) {
    const account = await server.loadAccount(payer.publicKey());
    const builder = new TransactionBuilder(account, {
      fee: `${await server.fetchBaseFee()}`,
      networkPassphrase: network_passphrase,
    });
    for (const operation of operations) builder.addOperation(operation);
    builder.addMemo(memo === null ? Memo.none() : Memo.text(memo));
    const transaction = builder.setTimeout(validSeconds).build();
    transaction.sign(payer);
    return (await server.submitTransaction(transaction)).hash;
  }
  return {
    server,
    payer: payer.publicKey(),
    /** A plain transfer, as from any wallet or exchange; the hash of its transaction. */
    send: (to: string, amount: string, memo: string | null): Promise<string> =>
      submit([Operation.payment({ destination: to, asset: Asset.native(), amount })], memo),
    /** Opens an account with as many PI as the network asks for. */
    async open(address: string, amount: string): Promise<void> {
      await submit([Operation.createAccount({ destination: address, startingBalance: amount })], null);
    },
    /** What an account holds, in units of 10^-7 PI. */
    async balanceOf(address: string): Promise<bigint> {
      const { balances } = await server.loadAccount(address);
      return unitsOfDecimal(balances.find(({ asset_type }) => asset_type === 'native')!.balance, piScale)!;
    },
  };
}

/** What the custody account got, as the ledger of a running gateway has it; in units. */
export async function bookedInPi({ connection }: RunningGateway): Promise<bigint> {
  const db = openDatabase(await connection());
  try {
    const { rows } = await db.query<{ units: bigint }>(
      `SELECT coalesce(-sum(e.units), 0) AS units FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
       WHERE a.kind = 'external' AND a.mode = 'live' AND a.owner = 'pi'`,
    );
    return rows[0]!.units;
  } finally {
    await db.end();
  }
}
