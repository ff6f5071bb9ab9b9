import type { Reader } from '../../../kit/db/db.ts';
import { isLoopbackHost } from '../../../kit/net/addresses.ts';
import { type AddressAnswer, publicAddresses } from './ask-address.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

/** A process that was seen within this time is alive; each reports every five seconds. */
const aliveSeconds = 15;

/** Whether each public address leads to a gateway of this installation, and whether strangers reach it without https. */
export const checkAddress: Check = async ({ config, db, isMigrated, answers }) => {
  const addresses = publicAddresses(config);
  const plain = addresses.filter(isPlain).map((each) => found('address', 'plain', nameOf(each)));
  if (!db || !(await isMigrated()))
    return [...addresses.map((each) => found('address', 'no_database', nameOf(each))), ...plain];
  const answered = await answers();
  const isRunning = answered.some(({ outcome }) => outcome.kind === 'ours') || (await runs(db));
  return [...answered.map((each) => judge(each, isRunning)), ...plain];
};

const nameOf = ({ setting, address }: { setting: string; address: string }) => `${setting} ${address}`;

function judge({ outcome, ...address }: AddressAnswer, isRunning: boolean): Finding {
  if (outcome.kind === 'ours') return found('address', 'ok', nameOf(address));
  const detail = `${nameOf(address)}: ${outcome.because}`;
  // A name that is not known needs no gateway to be mended.
  if (!isRunning && outcome.kind !== 'unresolved') return found('address', 'not_running', detail);
  return found('address', outcome.kind, detail);
}

function isPlain({ address }: { address: string }): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

async function runs(reader: Reader): Promise<boolean> {
  const { rowCount } = await reader.query(
    `SELECT FROM gateway_processes WHERE seen_at > now() - $1 * interval '1 second' LIMIT 1`,
    [aliveSeconds],
  );
  return rowCount === 1;
}
