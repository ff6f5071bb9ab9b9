import { Argument, type Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../command.ts';
import { callsTestMode, merchantCommand } from '../merchant/command.ts';
import { eventTypes, type KnownEvent } from '../merchant/words.ts';
import { collected } from '../options.ts';
import { note } from '../output/print.ts';
import { guessEvent } from '../trigger/guess.ts';
import { ways } from '../trigger/ways.ts';

const either = new Intl.ListFormat('en', { type: 'disjunction' });
const triggerable = eventTypes.filter((type) => !('why' in ways[type]));

/** `florin trigger`: makes a test payment or a test payout that causes an event. */
export function triggerCommand(program: Command): void {
  const command = merchantCommand(
    program,
    'trigger',
    'Make a test payment or payout that causes an event, and show where the webhook was sent.',
  )
    .addArgument(new Argument('<event_type>', 'which event').choices(triggerable).argParser(readEventType))
    .option(
      '--with <name=value>',
      'a field of the payment or payout; may be repeated (by default 25 USDC)',
      collected,
      [],
    )
    .action(
      callsTestMode(async (context, type: KnownEvent, options: { with: string[] }) => {
        const { trigger } = await import('../trigger/trigger.ts');
        return await trigger(context, type, options.with);
      }),
    );
  withExamples(
    command,
    ['florin trigger payment_completed', 'a payment that is paid at once'],
    ['florin trigger paid', 'the same: what is near to a type is taken as it, and said'],
    [
      'florin trigger payment_failed --with amount=5 --with customer_email=ada@example.com',
      'with your own fields',
    ],
    [
      'florin trigger payout_completed --with amount=5',
      'a payout of test money; takes a key that may make payouts',
    ],
  );
}

/**
 * Also accepts what is near to a type, and says which one it takes, and types that cannot be triggered, for which the
 * command prints the reason.
 */
function readEventType(text: string): KnownEvent {
  const guess = guessEvent(text, eventTypes);
  if ('is' in guess) {
    if (guess.is !== text) note(`Taken as ${guess.is}.`);
    return guess.is;
  }
  if (guess.near.length > 0) throw new InvalidArgumentError(`Did you mean ${either.format(guess.near)}?`);
  throw new InvalidArgumentError(`Allowed choices are ${triggerable.join(', ')}.`);
}
