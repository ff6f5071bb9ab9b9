import { type Command, InvalidArgumentError } from 'commander';
import { pathOf } from '../command.ts';
import type { Extent } from '../output/show.ts';
import type { Context, SharedOptions } from './context.ts';

/** A command that calls the gateway with a merchant's key. */
export function merchantCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .optionsGroup('Options:')
    .option('--json', 'print JSON, one object on each line')
    .optionsGroup('Where:')
    .option('--url <url>', 'address of the gateway; by default FLORIN_URL, or the demo of this directory')
    .option('--key <key>', 'secret key; by default FLORIN_SECRET_KEY, or the demo of this directory')
    .optionsGroup('Options:');
}

type Work<Words extends unknown[]> = (context: Context, ...words: Words) => Promise<number | undefined>;

/**
 * Turns the work of a merchant's command into the function that commander calls. The work gets the gateway's client
 * before its arguments and options.
 */
export function calls<Words extends unknown[]>(work: Work<Words>) {
  return callAction(work, false);
}

/** As `calls`, for commands of test mode. */
export function callsTestMode<Words extends unknown[]>(work: Work<Words>) {
  return callAction(work, true);
}

function callAction<Words extends unknown[]>(work: Work<Words>, isForTests: boolean) {
  return async (...given: [...Words, Command]): Promise<void> => {
    const command = given.at(-1) as Command;
    const { openContext } = await import('./context.ts');
    const context = openContext(command.opts<SharedOptions>(), pathOf(command), isForTests);
    process.exitCode = await work(context, ...(given.slice(0, -1) as Words));
  };
}

export type ListOptions = { limit: number; all?: boolean };

/** `--limit` and `--all`. */
export function withExtent(command: Command, fallback = 20): Command {
  return command
    .option('--limit <number>', 'how many to show', readCount, fallback)
    .option('--all', 'show all');
}

export function extentOf({ limit, all = false }: ListOptions): Extent {
  return { limit, all };
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number.parseInt(text, 10);
}
