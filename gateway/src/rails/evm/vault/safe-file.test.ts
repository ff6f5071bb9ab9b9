import { keccak256, stringToHex } from 'viem';
import { expect, test } from 'vitest';
import { safeFile } from './safe-file.ts';

const to = '0x52908400098527886e0f7030069857d2e4169ee7';
const batch = {
  ...{ chainId: 56, name: 'Payouts', description: 'Two "calls"', at: new Date(1_700_000_000_000) },
  calls: [
    { to, data: '0x01' },
    { to, data: '0x02' },
  ],
} as const;

test('a file for a Safe has the checksum by which its Transaction Builder sees that nobody changed it', () => {
  const { meta, ...file } = JSON.parse(safeFile(batch));
  const call = (data: string) =>
    '{["contractInputsValues","contractMethod","data","to","value"]null,null,' +
    `"${data}","0x52908400098527886E0F7030069857D2E4169EE7","0",}`;
  // As the Transaction Builder 1.18 writes it: names in order, and that of the batch left out.
  const written =
    '{["chainId","createdAt","meta","transactions","version"]"56",1700000000000,' +
    String.raw`{["description","name"]"Two \"calls\"",null,},[` +
    `${call('0x01')},${call('0x02')}],"1.0",}`;
  expect(meta).toEqual({
    ...{ name: 'Payouts', description: 'Two "calls"' },
    checksum: keccak256(stringToHex(written)),
  });
  expect(file.transactions).toHaveLength(2);
  const { meta: renamed } = JSON.parse(safeFile({ ...batch, name: 'Others' }));
  expect(renamed.checksum).toBe(meta.checksum);
});
