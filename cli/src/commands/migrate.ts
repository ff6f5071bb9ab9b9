import { type Command, InvalidArgumentError } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = { wait?: string };

/** `florin migrate`: brings the database up to date and serves nothing. */
export function migrateCommand(program: Command): void {
  const command = program
    .command('migrate')
    .description('Apply the migrations of this version, all or none, and serve nothing.')
    .option('--wait <seconds>', 'apply none, and wait until another process has')
    .action(
      exits(async ({ wait }: Options) => {
        const { awaitMigrations, migrateAlone } = await import(
          '../../../gateway/src/commands/migrating/migrate.ts'
        );
        if (wait === undefined) return await migrateAlone(process.env);
        if (!/^\d{1,6}$/.test(wait)) throw new InvalidArgumentError('--wait must be a number of seconds.');
        return await awaitMigrations(process.env, Number.parseInt(wait, 10));
      }),
    );
  withExamples(
    command,
    ['florin migrate', 'before gateways of a new version start'],
    ['florin migrate --wait 600', 'in a gateway that must not migrate: with DATABASE_URL'],
  );
}
