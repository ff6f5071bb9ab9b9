import {
  type AgreedDestination,
  DestinationError,
  type DestinationRefusal,
  destinationAddress,
  type PaymentDestination,
  verifyDestination,
} from '@florin/sdk';
import { print } from '../output/print.ts';
import { tinted } from '../output/text.ts';
import { openContext, type SharedOptions } from './context.ts';

export type VerifyOptions = SharedOptions & {
  merchant?: string;
  host?: string;
  basisPoints?: string;
  treasury?: string;
  asset?: string;
  paymentId?: string;
  address?: string;
};

/** What `--json` has of each address; `asset` and `chain_id` are null where no gateway was asked. */
type Finding = {
  asset: string | null;
  chain_id: number | null;
  address: string;
  /** What it must be. */
  computed: string;
  is_yours: boolean;
  reason: DestinationRefusal | null;
  message: string | null;
};

type Asked = {
  paymentId: string;
  destinations: (Pick<PaymentDestination, 'address'> & Partial<PaymentDestination>)[];
};

const atSettings = 'Settings, Payouts, Your own wallet in the dashboard';
const doNot = 'Do not send customers to it.';

const advice: Record<DestinationRefusal, string> = {
  bad_terms: '',
  other_settlement: `See ${atSettings}: whether an address of your own is set for this asset, and was in force when the payment was made.`,
  other_merchant: `${doNot} See ${atSettings} who set that address, and end it there if it is not yours.`,
  other_host: `${doNot} Ask the host which address is its own, by another way than this gateway.`,
  other_basis_points:
    'Compare the fee in the dashboard with what you agreed on. A payment keeps the one it was made with.',
  other_treasury: `${doNot} Ask the host which address is its own, by another way than this gateway.`,
  other_address: `${doNot} Tell the host: it follows from nothing that was agreed on, and the answer says otherwise.`,
};

/**
 * Prints of each address of a payment whether it follows from what the merchant knows. Returns the exit code: 0 all do, 2 some do
 * not. Throws where there is nothing to compare.
 */
export async function verifyAddresses(
  reference: string | undefined,
  options: VerifyOptions,
): Promise<number> {
  const agreed = readAgreed(options);
  const { paymentId, destinations } =
    reference === undefined ? givenIn(options) : await ask(reference, options);
  const findings = destinations.map((destination) => find(paymentId, destination, agreed));
  for (const finding of findings) {
    await print(options.json ? `${JSON.stringify(finding)}\n` : textOf(finding));
  }
  return findings.every(({ is_yours }) => is_yours) ? 0 : 2;
}

function readAgreed({ merchant, host, basisPoints, treasury }: VerifyOptions): AgreedDestination {
  const isDirect = merchant !== undefined && host !== undefined && basisPoints !== undefined;
  const isNoSplit = merchant === undefined && host === undefined && basisPoints === undefined;
  if (isDirect && treasury === undefined) {
    if (!/^\d{1,4}$/.test(basisPoints))
      throw new Error('--basis-points must be a whole number from 0 to 9999');
    return { merchant, host, basisPoints: Number.parseInt(basisPoints, 10) };
  }
  if (isNoSplit && treasury !== undefined) return { treasury };
  throw new Error(
    'pass what you know: --merchant, --host and --basis-points of a direct settlement, or --treasury alone where payments are credited to your balance',
  );
}

function givenIn({ paymentId, address }: VerifyOptions): Asked {
  if (paymentId !== undefined && address !== undefined) return { paymentId, destinations: [{ address }] };
  throw new Error('pass the reference of a payment; or --payment-id and --address, and no gateway is asked');
}

async function ask(reference: string, options: VerifyOptions): Promise<Asked> {
  const { client } = openContext(options, 'florin address verify', false);
  const [{ id }, { items }] = await Promise.all([
    client.payments.get(reference),
    client.payments.destinations(reference),
  ]);
  const destinations = items.filter(({ asset }) => options.asset === undefined || asset === options.asset);
  if (destinations.length > 0) return { paymentId: options.paymentId ?? id, destinations };
  throw new Error(
    `${reference} has no such address: its currency is not chosen yet, it is paid otherwise than on an EVM chain, or the host receives it below an extended key, whose owner alone can recompute it`,
  );
}

function find(
  paymentId: string,
  destination: Asked['destinations'][number],
  agreed: AgreedDestination,
): Finding {
  const { asset = null, chain_id = null, address } = destination;
  const place = { asset, chain_id, address };
  try {
    const computed = destinationAddress(paymentId, agreed);
    verifyDestination({ paymentId, destination, agreed });
    return { ...place, computed, is_yours: true, reason: null, message: null };
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    const { reason, message } = error;
    if (reason === 'bad_terms') throw new Error(message);
    return { ...place, computed: destinationAddress(paymentId, agreed), is_yours: false, reason, message };
  }
}

function textOf({ asset, chain_id, address, computed, is_yours, reason, message }: Finding): string {
  const place = asset === null ? '' : `${asset} on chain ${chain_id}: `;
  if (is_yours) return `${place}${address} ${tinted('follows from what you know', 'good')}\n`;
  const lines = [message, `Computed: ${computed}`, reason && advice[reason]];
  return `${place}${address} ${tinted('is another address', 'bad')}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
