import type { Chaos, ChaosInput } from '@florin/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../command.ts';
import { callsTestMode, merchantCommand } from '../merchant/command.ts';
import { durationWithin } from '../merchant/duration.ts';

const exampleId = '019aa1d3-4c5d-7e6f-8a9b-0c1d2e3f4a5b';

type Options = {
  duplicate?: number;
  reorder?: number;
  delay?: number;
  drop?: number;
  badSignature?: number;
  staleTimestamp?: number;
  oldSecret?: number;
  delaySeconds?: number;
  off?: boolean;
};

/** `florin endpoints chaos`: the injected faults of deliveries to a test endpoint. */
export function chaosCommand(group: Command): void {
  const command = merchantCommand(
    group,
    'chaos',
    'Inject faults into deliveries to a test endpoint, each in a percentage of them. Without options, show the current ones.',
  )
    .argument('<endpoint>', 'its id')
    .option('--duplicate <percent>', 'send it again right after it was taken', readPercent)
    .option('--reorder <percent>', 'hold it back, so that the next event comes before it', readPercent)
    .option('--delay <percent>', 'held back', readPercent)
    .option('--drop <percent>', 'do not send it; the retry comes later', readPercent)
    .option('--bad-signature <percent>', 'send it with a wrong signature; the right one follows', readPercent)
    .option(
      '--stale-timestamp <percent>',
      'send it with an old timestamp; the right one follows',
      readPercent,
    )
    .option('--old-secret <percent>', 'sign it only with the old secret; the right one follows', readPercent)
    .option('--delay-seconds <duration>', 'how long a delivery is held back', durationWithin('1s', '1h'))
    .option('--off', 'end it')
    .action(
      callsTestMode(async ({ client, show }, id: string, options: Options) => {
        const wanted = chaosOf(options);
        if (options.off && Object.keys(wanted).length > 0)
          throw new Error('--off cannot be combined with other options');
        const isRead = !options.off && Object.keys(wanted).length === 0;
        const chaos = isRead ? await client.test.chaos.get(id) : await client.test.chaos.set(id, wanted);
        const { recordOf } = await import('../output/table.ts');
        await show.one(chaos, () => recordOf(linesOf(chaos)));
        return 0;
      }),
    );
  withExamples(
    command,
    [
      `florin endpoints chaos ${exampleId} --duplicate 20 --reorder 20`,
      'tests whether your server stores each event once',
    ],
    [`florin endpoints chaos ${exampleId} --off`, 'no more injected faults'],
  );
}

function chaosOf({
  badSignature,
  staleTimestamp,
  oldSecret,
  delaySeconds,
  off: _,
  ...rest
}: Options): ChaosInput {
  const { duplicate, reorder, delay, drop } = rest;
  const all = {
    duplicate,
    reorder,
    delay,
    drop,
    bad_signature: badSignature,
    stale_timestamp: staleTimestamp,
    old_secret: oldSecret,
    delay_seconds: delaySeconds,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** In the order of the options, whatever the order in the answer. */
const kinds = [
  'duplicate',
  'reorder',
  'delay',
  'drop',
  'bad_signature',
  'stale_timestamp',
  'old_secret',
] as const satisfies (keyof Chaos)[];

function linesOf(chaos: Chaos): [string, string, 'waiting' | undefined][] {
  const lines = kinds.map((kind): [string, string, 'waiting' | undefined] => [
    kind.replace('_', ' '),
    `${chaos[kind]} %`,
    chaos[kind] > 0 ? 'waiting' : undefined,
  ]);
  return [...lines, ['held back', `${chaos.delay_seconds} s`, undefined]];
}

function readPercent(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number.parseInt(text, 10) > 100) {
    throw new InvalidArgumentError('It must be a whole number from 0 to 100.');
  }
  return Number.parseInt(text, 10);
}
