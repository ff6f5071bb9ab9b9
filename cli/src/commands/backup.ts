import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = { json?: boolean };

/** `florin backup` and `florin restore`: the whole database as one file, and back. */
export function backupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .argument('<file>', 'a new one')
    .description('Write the whole database into a file, beside a running gateway or without one.')
    .option('--json', 'print what was written as JSON')
    .action(
      exits(async (file: string, { json = false }: Options) => {
        const { backup } = await import('../../../gateway/src/commands/backup.ts');
        return await backup(process.env, { file, json });
      }),
    );
  withExamples(backup, ['florin backup florin.backup', 'the master key is not in it: keep that apart']);

  const restore = program
    .command('restore')
    .argument('<file>', 'that florin backup wrote')
    .description('Load a backup into an empty database: whole, or not at all.')
    .option('--json', 'print what was restored as JSON')
    .action(
      exits(async (file: string, { json = false }: Options) => {
        const { restore } = await import('../../../gateway/src/commands/restore.ts');
        return await restore(process.env, { file, json });
      }),
    );
  withExamples(restore, ['DATA_DIR=./restored florin restore florin.backup', 'with the master key in place']);
}
