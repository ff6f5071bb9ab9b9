import type { Clock } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import { isUuid } from '../../../kit/ids.ts';
import type { ByHand, HandExport } from '../../by-hand.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { transferFile, transferList } from './export-file.ts';
import { handStandings, readExports } from './exports.ts';
import { exportPlain, plainExportable, plainOrders } from './plain-exports.ts';

/** How an operator pays payouts out of the treasury of a chain that has no vault. */
export function createPlainByHand(
  chain: Pick<ChainConfig, 'id' | 'name' | 'tokens'>,
  treasury: Hex,
  now: Clock,
): ByHand {
  const place = { chainId: chain.id, vault: null };
  async function find(reader: Reader, id: string): Promise<HandExport | null> {
    if (!isUuid(id)) return null;
    const [found] = await readExports(reader, place, { id, atMost: 1 });
    return found ?? null;
  }
  return {
    network: chain.name,
    from: 'treasury',
    exportable: (reader) => plainExportable(reader, chain.id),
    async export(tx, by) {
      const id = await exportPlain(tx, { chainId: chain.id, treasury }, by, now());
      return id === null ? null : await find(tx, id);
    },
    exports: (reader, atMost) => readExports(reader, place, { atMost }),
    find,
    async file(reader, exportId, kind) {
      const found = kind === 'use-up' ? null : await plainOrders(reader, chain.id, exportId);
      if (!found) return null;
      return (kind === 'safe' ? transferFile : transferList)({ chain, exportId, ...found });
    },
    // There is no other key that could pay it, and what was exported can be paid at any time.
    takeBack: async () => 0,
    standings: handStandings,
  };
}
