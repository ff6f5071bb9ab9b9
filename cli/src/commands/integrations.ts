import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

/** `florin integrations ...`: making and approving integrations, as the operator. */
export function integrationsCommands(program: Command): void {
  const group = commandGroup(program, 'integrations', 'Make integrations, and approve or suspend them.');

  const create = group
    .command('create')
    .argument('<name>', 'name of the integration')
    .description('Make an integration and show its keys, which are shown only now.')
    .action(
      exits(async (name: string) => {
        if (name.trim() === '') throw new Error('the name is empty');
        const { makeIntegration } = await import('../../../gateway/src/commands/integrations.ts');
        return await makeIntegration(process.env, name);
      }),
    );
  withExamples(create, ['florin integrations create "Corner shop"', 'prints its id and both keys']);

  const approve = group
    .command('approve')
    .argument('<id>', 'id of the integration')
    .description('Allow an integration to take live payments.')
    .action(exits((id: string) => setApproval(id, 'approved')));
  withExamples(approve, ['florin integrations approve 019aa1d0-11aa-7aaa-8bbb-222233334444', 'by its id']);

  const suspend = group
    .command('suspend')
    .argument('<id>', 'id of the integration')
    .description('Stop an integration from taking live payments.')
    .action(exits((id: string) => setApproval(id, 'suspended')));
  withExamples(suspend, ['florin integrations suspend 019aa1d0-11aa-7aaa-8bbb-222233334444', 'by its id']);
}

async function setApproval(id: string, approval: 'approved' | 'suspended'): Promise<number> {
  const { setIntegrationApproval } = await import('../../../gateway/src/commands/integrations.ts');
  return await setIntegrationApproval(process.env, id, approval);
}
