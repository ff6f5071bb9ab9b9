import type { Clock } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import { isUuid } from '../../../kit/ids.ts';
import type { ByHand, HandExport } from '../../by-hand.ts';
import type { ChainConfig, VaultConfig } from '../config/chains.ts';
import { listFile, payFile, useUpFile } from './export-file.ts';
import {
  exportableOrders,
  exportedOrders,
  exportOrders,
  handStandings,
  readExports,
  takeBackExport,
  type VaultPlace,
} from './exports.ts';

const files = { safe: payFile, list: listFile, 'use-up': useUpFile };

/** How the admin of a chain's vault pays what its signer would. */
export function createVaultByHand(
  chain: Pick<ChainConfig, 'id' | 'name' | 'tokens'>,
  { address }: Pick<VaultConfig, 'address'>,
  now: Clock,
): ByHand {
  const place: VaultPlace = { chainId: chain.id, vault: address };
  async function find(reader: Reader, id: string): Promise<HandExport | null> {
    if (!isUuid(id)) return null;
    const [found] = await readExports(reader, place, { id, atMost: 1 });
    return found ?? null;
  }
  return {
    network: chain.name,
    from: 'vault',
    exportable: (reader) => exportableOrders(reader, place),
    async export(tx, by) {
      const id = await exportOrders(tx, place, by, now());
      return id === null ? null : await find(tx, id);
    },
    exports: (reader, atMost) => readExports(reader, place, { atMost }),
    find,
    async file(reader, exportId, kind) {
      const which = kind === 'use-up' ? 'payable' : 'waiting';
      const found = await exportedOrders(reader, chain.id, exportId, which);
      return found && files[kind]({ chain, exportId, ...found });
    },
    takeBack: (tx, exportId) => takeBackExport(tx, place, exportId, now()),
    standings: handStandings,
  };
}
