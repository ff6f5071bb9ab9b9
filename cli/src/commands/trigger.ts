import { Argument, type Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../command.ts';
import { callsTestMode, merchantCommand } from '../merchant/command.ts';
import { eventTypes, type KnownEvent } from '../merchant/words.ts';
import { collected } from '../options.ts';
import { ways } from '../trigger/ways.ts';

const triggerable = eventTypes.filter((type) => 'play' in ways[type]);

/** `florin trigger`: a test payment that makes an event. */
export function triggerCommand(program: Command): void {
  const command = merchantCommand(
    program,
    'trigger',
    'Make a test payment, bring it to an event, and show where the webhook went.',
  )
    .addArgument(new Argument('<event_type>', 'which event').choices(triggerable).argParser(readEventType))
    .option(
      '--with <name=value>',
      'a field of the payment; may be repeated (amount is 25, currency USDC unless said)',
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
    ['florin trigger payment_failed --with amount=5 --with customer_email=ada@example.com', 'as you like it'],
  );
}

/** Takes those that cannot be triggered too: the command says why. */
function readEventType(text: string): KnownEvent {
  const known = eventTypes.find((type) => type === text);
  if (known === undefined) throw new InvalidArgumentError(`Allowed choices are ${triggerable.join(', ')}.`);
  return known;
}
