import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

const keyId = '3f9a1c0b5d7e2468';

const load = () => import('../../../gateway/src/commands/master-key.ts');

/** `florin master-key ...`: the keys that secrets in the database are sealed under. */
export function masterKeyCommands(program: Command): void {
  const group = commandGroup(program, 'master-key', 'List, rotate and drop the keys that seal secrets.');
  const list = group
    .command('list')
    .description('List the master keys, and how many values each holds.')
    .option('--json', 'print JSON')
    .action(
      exits(async ({ json = false }: { json?: boolean }) =>
        (await load()).showMasterKeys(process.env, { json }),
      ),
    );
  withExamples(list, ['florin master-key list', 'never the keys themselves']);

  const rotate = group
    .command('rotate')
    .description('Make a new master key and seal everything anew under it, beside running gateways.')
    .action(exits(async () => (await load()).rotateMasterKeys(process.env)));
  withExamples(rotate, ['florin master-key rotate', 'when it was killed, run it again: it goes on']);

  const drop = group
    .command('drop')
    .argument('<id>', 'its id')
    .description('Drop a master key that no value needs any more.')
    .action(exits(async (id: string) => (await load()).dropMasterKeys(process.env, id)));
  withExamples(drop, [`florin master-key drop ${keyId}`, 'backups from before the rotation still need it']);

  const print = group
    .command('new')
    .description(
      'Print the master keys with a new one before them, for a store that Florin does not write to.',
    )
    .action(exits(async () => (await load()).printNewMasterKey(process.env)));
  withExamples(print, ['florin master-key new | vault kv put secret/florin master_key=-', 'then rotate']);
}
