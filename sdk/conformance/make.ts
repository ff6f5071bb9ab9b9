// `node sdk/conformance/make.ts`: writes the data that is made. With `--check` it only says whether they are stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashedBytes, judgedDestinations, judgedWords } from './make-destinations.ts';
import { requestCases } from './make-requests.ts';
import { judgedWebhooks } from './make-webhooks.ts';

/** One file of data: its text now, and the text that it should have. */
export type MadeData = { file: string; current: string; expected: string };

/** The data that is made and not written by hand. */
export async function madeData(): Promise<MadeData[]> {
  const made: [string, unknown[]][] = [
    ['requests.json', await requestCases()],
    ['webhooks.json', judgedWebhooks()],
    ['destinations.json', judgedDestinations()],
    ['hashes.json', hashedBytes()],
    ['words.json', judgedWords()],
  ];
  return made.map(([file, cases]) => ({
    file,
    current: readFileSync(join(import.meta.dirname, file), { encoding: 'utf8', flag: 'a+' }),
    // One case a line.
    expected: `[\n${cases.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`,
  }));
}

if (import.meta.main) {
  for (const { file, current, expected } of await madeData()) {
    if (process.argv.includes('--check')) console.log(file, current === expected ? 'is fresh' : 'is stale');
    else writeFileSync(join(import.meta.dirname, file), expected);
  }
}
