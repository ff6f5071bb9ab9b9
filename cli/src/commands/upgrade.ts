import { type Command, Option } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = {
  check?: boolean;
  skipCheck?: boolean;
  resume?: boolean;
  back?: boolean;
  json?: boolean;
  compare?: string;
  putBack?: string;
};

/** `florin upgrade`: to a new version, with a way back. */
export function upgradeCommand(program: Command): void {
  const command = program
    .command('upgrade')
    .argument(
      '[file]',
      'the Debian package of the new version; with --check also an archive or a folder of its program',
    )
    .description(
      'Upgrade the Debian package, and go back if that fails; or try the migrations on a copy of the database.',
    )
    .option(
      '--check',
      'only try the migrations, without a file those of this version; the database is not changed',
    )
    .option('--skip-check', 'do not try the migrations first')
    .option('--resume', 'go on with an upgrade that was ended in the middle')
    .option('--back', 'go back from one')
    .option('--json', 'print what --check finds as JSON')
    // The steps of an upgrade, which it calls as the user of the data.
    .addOption(new Option('--compare <backup>').hideHelp())
    .addOption(new Option('--put-back <backup>').hideHelp())
    .action(exits(run));
  withExamples(
    command,
    ['sudo florin upgrade --check florin_0.6.0_amd64.deb', 'beside the running gateway'],
    ['sudo florin upgrade florin_0.6.0_amd64.deb', 'goes back by itself where something fails'],
    ['sudo florin upgrade --resume', 'after a power cut in the middle of it'],
  );
}

async function run(file: string | undefined, options: Options): Promise<number> {
  const { check, skipCheck = false, resume, back, json = false, compare, putBack: backup } = options;
  const kept = backup ?? compare;
  if (kept !== undefined) {
    const { putBack } = await import('../../../gateway/src/commands/upgrade/put-back.ts');
    return await putBack(process.env, { file: kept, onlyCompare: backup === undefined });
  }
  if (check && file === undefined) {
    const { rehearseUpgrade } = await import('../../../gateway/src/commands/upgrade/check.ts');
    return await rehearseUpgrade(process.env, { json });
  }
  const { checkOther, upgrade } = await import('../../../gateway/src/commands/upgrade/run.ts');
  if (check && file !== undefined) return await checkOther(process.env, { file, json });
  const left = resume ? 'resume' : back ? 'back' : null;
  return await upgrade(process.env, { file, skipCheck, left });
}
