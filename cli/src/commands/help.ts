import type { Command } from 'commander';
import { commandAt, exits, withExamples } from '../command.ts';

/** `florin help [command]`: the same as `--help` behind the command. */
export function helpCommand(program: Command): void {
  const command = program
    .command('help')
    .argument('[command...]', 'of which; all of them without one')
    .description('Show how a command is used, with examples.')
    .action(
      exits(async (words: string[]) => {
        const { command: found, rest } = commandAt(program, words);
        if (rest.length > 0)
          throw new Error(`there is no command ${words.join(' ')}; all of them: florin help`);
        found.outputHelp();
        return 0;
      }),
    );
  withExamples(command, ['florin help sweep', 'the same as florin sweep --help']);
}
