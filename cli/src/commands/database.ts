import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

type Options = { to: string; owner?: string };

/** `florin database ...`: where the data are. */
export function databaseCommands(program: Command): void {
  const group = commandGroup(program, 'database', 'Move all data to another database.');
  const move = group
    .command('move')
    .description(
      'Move all data to a server of your own or back to the embedded database, while no gateway runs, and say what to set.',
    )
    .requiredOption(
      '--to <address>',
      'embedded, or the address for DATABASE_URL; - reads it, and that of the owner, from standard input',
    )
    .option('--owner <address>', 'the address for MIGRATE_DATABASE_URL, if another role owns the tables')
    .action(
      exits(async ({ to, owner }: Options) => {
        const { moveDatabase } = await import('../../../gateway/src/commands/database/move.ts');
        return await moveDatabase(process.env, { to, owner });
      }),
    );
  withExamples(
    move,
    [
      'florin database move --to - < addresses',
      'to a server of your own; passwords stay out of the command line',
    ],
    ['florin database move --to embedded', 'back'],
  );
}
