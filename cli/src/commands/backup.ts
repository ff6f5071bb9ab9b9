import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = { json?: boolean };
type Reading = Options & { identity?: string };

const identityOption = [
  '--identity <file>',
  'file of an identity of age that it is encrypted to; - reads it from standard input',
] as const;
const name = 'florin-2026-11-30T02-00-00Z.backup.age';

const load = () => import('../../../gateway/src/commands/backup-tools.ts');

/** `florin backup ...` and `florin restore`: the whole database as one file, and back. */
export function backupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .argument('[file]', 'a file that does not exist yet; without it, the place of BACKUP_TO')
    .description('Write the whole database into a file, beside a running gateway or without one.')
    .option('--json', 'print the result as JSON')
    .helpCommand(false)
    .action(
      exits(async (file: string | undefined, { json = false }: Options) => {
        const { backup } = await import('../../../gateway/src/commands/backup.ts');
        return await backup(process.env, { file, json });
      }),
    );
  withExamples(
    backup,
    ['florin backup florin.backup', 'the master key is not in the file: keep it elsewhere'],
    ['florin backup', 'to BACKUP_TO, now'],
  );
  toolCommands(backup);

  const restore = program
    .command('restore')
    .argument('[file]', 'a file that florin backup wrote, or the name of a backup in BACKUP_TO')
    .description('Load a backup into an empty database, completely or not at all.')
    .option(
      '--at <time>',
      'make an embedded database as it was at this moment, out of BACKUP_TO, such as 2026-11-30T12:34:56Z or latest',
    )
    .option(...identityOption)
    .option('--json', 'print the result as JSON')
    .action(
      exits(async (file: string | undefined, { json = false, identity, at }: Reading & { at?: string }) => {
        if ((file === undefined) === (at === undefined))
          throw new Error('Name a backup, or a moment by --at, and not both');
        if (at !== undefined) {
          const { restoreAt } = await import('../../../gateway/src/commands/recovery/restore-at.ts');
          return await restoreAt(process.env, { at, identity, json });
        }
        const { restore } = await import('../../../gateway/src/commands/restore.ts');
        return await restore(process.env, { file: file ?? '', identity, json });
      }),
    );
  withExamples(
    restore,
    ['DATA_DIR=./restored florin restore florin.backup', 'the master key must be in place'],
    [`florin restore ${name} --identity backup.key`, 'out of BACKUP_TO'],
    ['florin restore --at 2026-11-30T12:34:56Z --identity backup.key', 'embedded: any moment'],
  );
}

function toolCommands(backup: Command): void {
  const list = backup
    .command('list')
    .description('List the backups in BACKUP_TO, the newest first.')
    .option('--json', 'print JSON')
    .action(
      exits(async ({ json = false }: Options) => (await load()).listPlacedBackups(process.env, { json })),
    );
  withExamples(list, ['florin backup list', 'each name can be restored']);

  const key = backup
    .command('key')
    .description('Make a pair of keys for backups and print it. Nothing is written.')
    .action(exits(async () => (await load()).printBackupKey()));
  withExamples(key, ['florin backup key', 'keep the identity away from the gateway']);

  const drill = backup
    .command('drill')
    .argument('[file]', 'a file, or the name of a backup in BACKUP_TO; without it, the newest one there')
    .description('Load a backup into a database of its own, check it there, and drop that.')
    .option(...identityOption)
    .option('--json', 'print the result as JSON')
    .action(
      exits(async (file: string | undefined, { json = false, identity }: Reading) =>
        (await load()).drillBackup(process.env, { file, identity, json }),
      ),
    );
  withExamples(drill, ['florin backup drill --identity backup.key', 'reads the real bytes']);
}
