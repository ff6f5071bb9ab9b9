import type { Logger } from 'pino';
import { after } from '../../../../kit/clock.ts';
import type { Tx } from '../../../../kit/db/db.ts';
import type { ChainConfig } from '../../config/chains.ts';
import type { OurTransfer } from '../blocks/match.ts';
import { planRecheck } from '../blocks/recheck-plan.ts';
import { markFinal, markGone, noteLacking } from '../blocks/transfers.ts';
import type { Verdicts } from './backing.ts';

/** An unclear transfer is checked again after this long, and then at least once a minute. */
const unclearSeconds = 10;
/** A lacking transfer is checked again after this long: two endpoints may make the same mistake. */
const lackingSeconds = 3_600;

/**
 * Writes the verdicts about noted transfers: those that are backed become final, lacking ones are gone, and unclear
 * ones stay as they are, and their blocks are read again.
 */
export async function bookTransfers(
  tx: Tx,
  { search: { chain }, now, log }: { search: { chain: ChainConfig }; now: Date; log: Logger },
  { backed, lacking, unclear, doubted }: Verdicts,
): Promise<void> {
  await markFinal(tx, chain, backed);
  await markGone(tx, chain.id, lacking);
  await noteLacking(tx, chain.id, [...lacking, ...doubted], now);
  for (const { transfer, units } of backed.filter((each) => each.units < each.transfer.units)) {
    const facts = { ...factsOf(chain.id, transfer), credited: `${units}` };
    log.error(facts, 'a transfer is credited in part: its token does not hold all that its log says');
  }
  for (const transfer of lacking) {
    const facts = factsOf(chain.id, transfer);
    log.error(facts, 'a transfer is not credited: its token does not hold what its log says');
    await planRecheck(tx, chain.id, { blockNumber: transfer.blockNumber, due: after(now, lackingSeconds) });
  }
  for (const { blockNumber } of [...unclear, ...doubted]) {
    await planRecheck(tx, chain.id, { blockNumber, due: after(now, unclearSeconds) });
  }
}

function factsOf(chain: number, { transaction, token, address, units, ownerId }: OurTransfer): object {
  return { chain, transaction, token, address, units: `${units}`, ownerId };
}
