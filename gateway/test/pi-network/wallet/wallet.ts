import { Asset, Horizon, type Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { decimalOf, unitsOfDecimal } from '../../../src/money/money.ts';
import { isDestination } from '../../../src/rails/pi/horizon/account.ts';
import { piScale } from '../../../src/rails/pi/horizon/network.ts';

const validSeconds = 120;
const memoBytes = 28;
const shownRecords = 20;
const keptOrders = 1_000;

/** What somebody asks the wallet to send, as it was typed. */
export type SendForm = { to: string; amount: string; memo: string };

/** Why nothing was sent. */
export type WalletProblem = 'address' | 'amount' | 'memo' | 'funds' | 'no_account' | 'network';

export type Movement = {
  received: boolean;
  amount: string;
  /** Who sent it, or who got it. */
  other: string;
  memo: string | null;
  at: string;
  transaction: string;
};

export type WalletView = {
  address: string;
  balance: string;
  movements: Movement[];
};

export type Wallet = {
  view(): Promise<WalletView>;
  /** Sends once for each `order`, however often it is asked to: the hash of its transaction, or why there is none. */
  send(order: string, form: SendForm): Promise<{ hash: string } | { problem: WalletProblem }>;
};

type Sent = Awaited<ReturnType<Wallet['send']>>;

/** The wallet of one key on the network of a Horizon. */
export function createWallet(horizonUrl: string, passphrase: string, key: Keypair): Wallet {
  const server = new Horizon.Server(horizonUrl, { allowHttp: true });
  const orders = new Map<string, Promise<Sent>>();

  async function submit({ to, amount, memo }: SendForm): Promise<Sent> {
    const [account, fees] = await Promise.all([server.loadAccount(key.publicKey()), server.feeStats()]);
    const transaction = new TransactionBuilder(account, {
      fee: fees.last_ledger_base_fee,
      networkPassphrase: passphrase,
    })
      .addOperation(Operation.payment({ destination: to, asset: Asset.native(), amount }))
      .addMemo(memo === '' ? Memo.none() : Memo.text(memo))
      .setTimeout(validSeconds)
      .build();
    transaction.sign(key);
    try {
      return { hash: (await server.submitTransaction(transaction)).hash };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  return {
    async view() {
      const [account, page] = await Promise.all([
        server.loadAccount(key.publicKey()),
        server
          .payments()
          .forAccount(key.publicKey())
          .order('desc')
          .limit(shownRecords)
          .join('transactions')
          .call(),
      ]);
      return {
        address: key.publicKey(),
        balance: account.balances.find(({ asset_type }) => asset_type === 'native')?.balance ?? '0',
        movements: (page.records as unknown as RawRecord[]).flatMap((record) =>
          movementOf(record, key.publicKey()),
        ),
      };
    },
    async send(order, form) {
      const sound = soundOf(form);
      if (typeof sound === 'string') return { problem: sound };
      const earlier = orders.get(order);
      if (earlier) return await earlier;
      const sent = submit(sound);
      orders.set(order, sent);
      if (orders.size > keptOrders) orders.delete(orders.keys().next().value!);
      return await sent;
    },
  };
}

function soundOf(form: SendForm): SendForm | WalletProblem {
  const [to, amount, memo] = [form.to.trim(), form.amount.trim(), form.memo.trim()];
  if (!isDestination(to)) return 'address';
  const units = unitsOfDecimal(amount, piScale);
  if (units === null || units <= 0n) return 'amount';
  if (Buffer.byteLength(memo) > memoBytes) return 'memo';
  return { to, amount: decimalOf(units, piScale), memo };
}

function problemOf(error: unknown): WalletProblem {
  const { response } = error as { response?: { data?: { extras?: { result_codes?: object } } } };
  const codes = JSON.stringify(response?.data?.extras?.result_codes ?? {});
  if (/op_underfunded|tx_insufficient_balance/.test(codes)) return 'funds';
  return codes.includes('op_no_destination') ? 'no_account' : 'network';
}

/** A record of `/payments` as far as the wallet shows it. */
type RawRecord = {
  type: string;
  asset_type?: string;
  from?: string;
  to?: string;
  amount?: string;
  funder?: string;
  account?: string;
  starting_balance?: string;
  created_at: string;
  transaction_hash: string;
  transaction_attr?: { memo?: string };
  transaction?: { memo?: string };
};

function movementOf(record: RawRecord, own: string): Movement[] {
  const { created_at: at, transaction_hash: transaction } = record;
  const created = record.type === 'create_account';
  const from = created ? record.funder : record.from;
  const to = created ? record.account : record.to;
  const amount = created ? record.starting_balance : record.amount;
  if (!from || !to || !amount || (!created && record.asset_type !== 'native')) return [];
  const received = to === own;
  const memo = (record.transaction_attr ?? record.transaction)?.memo ?? null;
  return [{ received, amount, other: received ? from : to, memo, at, transaction }];
}
