import type { Verdict } from '../../world/world.ts';
import type { BooksRead, Purse, Reading, ReserveRead } from '../reading.ts';
import { decimalOf, fineOf } from '../units.ts';
import { wrong } from '../verdicts.ts';

// What is owed is held, by the chain's own word, and the ledger and its hash chain are whole.

const sumOf = (amounts: Readonly<Record<string, string>>): bigint =>
  Object.values(amounts).reduce((sum, amount) => sum + fineOf(amount), 0n);

/** Compares what the commands of the operator say with what the chain and the balances of the API say. */
export function judgeBooks(books: BooksRead, reading: Reading): Verdict[] {
  const found = books.findings.map(
    (finding): Verdict => ({ kind: 'wrong', said: `the audit found ${finding}` }),
  );
  const missing = books.missing.map(
    (asset): Verdict => ({ kind: 'wrong', said: `the reserves of ${asset} are not known` }),
  );
  return [...found, ...missing, ...books.reserves.flatMap((reserve) => judgeReserve(reserve, reading))];
}

function judgeReserve(reserve: ReserveRead, reading: Reading): Verdict[] {
  const { asset, owed, held, difference } = reserve;
  const verdicts: Verdict[] = [];
  if (difference !== '0') {
    const kind = difference.startsWith('-') ? 'lost' : 'doubled';
    verdicts.push({
      kind,
      said: `${asset}: ${sumText(held)} is held, ${sumText(owed)} is owed, ${difference} is not explained`,
    });
  }
  const onChain = reading.held.get(asset);
  if (onChain !== undefined && onChain !== sumOf(held))
    verdicts.push(
      ...wrong(`${asset}: ${sumText(held)} is said to be held, and the chain says ${decimalOf(onChain)}`),
    );
  const owners: [string, string, ReadonlyMap<string, Purse>][] = [
    ['businesses', owed.business, reading.balances],
    ['wallets', owed.wallets, reading.wallets],
  ];
  for (const [name, said, purses] of owners) {
    const sum = liveSum(purses, asset);
    if (purses.size > 0 && sum !== fineOf(said))
      verdicts.push(
        ...wrong(`${asset}: ${said} is said to be owed to ${name}, who are told ${decimalOf(sum)}`),
      );
  }
  return verdicts;
}

const sumText = (amounts: Readonly<Record<string, string>>): string => decimalOf(sumOf(amounts));

function liveSum(purses: ReadonlyMap<string, Purse>, asset: string): bigint {
  return [...purses]
    .filter(([who]) => who.endsWith(' live'))
    .reduce((sum, [, purse]) => {
      const { available = 0n, held = 0n } = purse.get(asset) ?? {};
      return sum + available + held;
    }, 0n);
}
