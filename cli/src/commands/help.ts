import type { Command } from 'commander';
import { commandAt, exits, withExamples } from '../command.ts';

/** `florin help [command]`: the same as `--help` after the command. */
export function helpCommand(program: Command): void {
  const command = program
    .command('help')
    .argument('[command...]', 'the command; without one, all commands are listed')
    .description('Show how a command is used, with examples.')
    .action(
      exits(async (words: string[]) => {
        const { command: found, rest } = commandAt(program, words);
        if (rest.length > 0)
          throw new Error(`there is no command ${words.join(' ')}; florin help lists all commands`);
        found.outputHelp();
        return 0;
      }),
    );
  withExamples(command, ['florin help sweep', 'the same as florin sweep --help']);
}
