import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { accountsCommands } from './commands/accounts.ts';
import { addressCommands } from './commands/address.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommands } from './commands/backup.ts';
import { balancesCommand } from './commands/balances.ts';
import { checkWebhookCommand } from './commands/check-webhook.ts';
import { clockCommands } from './commands/clock.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { contractsCommands } from './commands/contracts.ts';
import { databaseCommands } from './commands/database.ts';
import { doctorCommand } from './commands/doctor.ts';
import { endpointsCommands } from './commands/endpoints.ts';
import { eventsCommands } from './commands/events.ts';
import { feesCommand } from './commands/fees.ts';
import { healthCommand } from './commands/health.ts';
import { helpCommand } from './commands/help.ts';
import { integrationsCommands } from './commands/integrations.ts';
import { keysCommands } from './commands/keys.ts';
import { linksCommands } from './commands/links.ts';
import { listenCommand } from './commands/listen.ts';
import { mailsCommands } from './commands/mails.ts';
import { masterKeyCommands } from './commands/master-key.ts';
import { mcpCommand } from './commands/mcp.ts';
import { migrateCommand } from './commands/migrate.ts';
import { operatorsCommands } from './commands/operators.ts';
import { paymentsCommands } from './commands/payments.ts';
import { payoutsCommands } from './commands/payouts.ts';
import { proveCommand } from './commands/prove.ts';
import { ratesCommands } from './commands/rates.ts';
import { refundsCommands } from './commands/refunds.ts';
import { reservesCommand } from './commands/reserves.ts';
import { seedCommand } from './commands/seed.ts';
import { serveCommand } from './commands/serve.ts';
import { setupLinkCommand } from './commands/setup-link.ts';
import { sweepCommand } from './commands/sweep.ts';
import { triggerCommand } from './commands/trigger.ts';
import { upgradeCommand } from './commands/upgrade.ts';
import { usersCommands } from './commands/users.ts';
import { vaultCommands } from './commands/vault.ts';

const ending = `
The commands of an operator read the same settings as the gateway, and work beside a running one.
Exit codes: 0 done, 1 could not be done, 2 a check found faults.
Help for one command: florin help <command>`;

/** The whole command line as a tree. The code of a command is loaded when it runs. */
export function createProgram(): Command {
  const program = new Command('florin')
    .description('The command line of the Florin payment gateway.')
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: termOf })
    .addHelpText('after', ending)
    .exitOverride()
    // Errors of commander are printed once, by the code that runs the program.
    .configureOutput({ outputError: () => {} });

  program.commandsGroup('To build on it, with a secret key:');
  listenCommand(program);
  triggerCommand(program);
  checkWebhookCommand(program);
  paymentsCommands(program);
  addressCommands(program);
  linksCommands(program);
  payoutsCommands(program);
  refundsCommands(program);
  eventsCommands(program);
  endpointsCommands(program);
  clockCommands(program);
  balancesCommand(program);
  ratesCommands(program);
  mcpCommand(program);

  program.commandsGroup('To operate a gateway:');
  serveCommand(program);
  accountsCommands(program);
  auditCommand(program);
  backupCommands(program);
  configCommand(program);
  contractsCommands(program);
  databaseCommands(program);
  doctorCommand(program);
  feesCommand(program);
  healthCommand(program);
  integrationsCommands(program);
  keysCommands(program);
  mailsCommands(program);
  masterKeyCommands(program);
  migrateCommand(program);
  operatorsCommands(program);
  proveCommand(program);
  reservesCommand(program);
  seedCommand(program);
  setupLinkCommand(program);
  sweepCommand(program);
  upgradeCommand(program);
  usersCommands(program);
  vaultCommands(program);

  program.commandsGroup('For this command line:');
  completionCommand(program);
  helpCommand(program);
  return program;
}

/** A command as in the list: with its arguments, without its options. */
function termOf(command: Command): string {
  const operands = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [command.name(), ...operands].join(' ');
}

function version(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
