import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = { json?: boolean };

/** `florin backup` and `florin restore`: writes the whole database into one file, and loads it. */
export function backupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .argument('<file>', 'a file that does not exist yet')
    .description('Write the whole database into a file, beside a running gateway or without one.')
    .option('--json', 'print the result as JSON')
    .action(
      exits(async (file: string, { json = false }: Options) => {
        const { backup } = await import('../../../gateway/src/commands/backup.ts');
        return await backup(process.env, { file, json });
      }),
    );
  withExamples(backup, [
    'florin backup florin.backup',
    'the master key is not in the file: keep it elsewhere',
  ]);

  const restore = program
    .command('restore')
    .argument('<file>', 'a file that florin backup wrote')
    .description('Load a backup into an empty database, completely or not at all.')
    .option('--json', 'print the result as JSON')
    .action(
      exits(async (file: string, { json = false }: Options) => {
        const { restore } = await import('../../../gateway/src/commands/restore.ts');
        return await restore(process.env, { file, json });
      }),
    );
  withExamples(restore, [
    'DATA_DIR=./restored florin restore florin.backup',
    'the master key must be in place',
  ]);
}
