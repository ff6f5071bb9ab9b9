#!/usr/bin/env node
import { audit } from '../../gateway/src/commands/audit.ts';
import { configHelp, showConfig } from '../../gateway/src/commands/config.ts';
import { judgeIntegration, makeIntegration } from '../../gateway/src/commands/integrations.ts';
import { serve } from '../../gateway/src/commands/serve.ts';
import { makeUser } from '../../gateway/src/commands/users.ts';

const usage = `Usage: florin <command>

  serve                        run the gateway
  audit [--json]               recompute the ledger
  config                       check the configuration and show it
  config --help                every setting, its meaning and its default
  integrations create <name>   make an integration and show its keys, this once
  integrations approve <id>    let it take live payments
  integrations suspend <id>    no longer
  users create <username>      make a user with a wallet and show the password, this once

All commands read the same settings as the gateway, and work beside a running one.
Exit codes: 0 done, 1 could not be done, 2 the audit found faults.
`;

/** Ends with an exit code, or with none where the command ends the process itself. */
type Command = (operand: string, options: string[]) => number | undefined | Promise<number | undefined>;

const { env } = process;

const commands: Record<string, Command> = {
  serve: async () => {
    await serve(env);
    return undefined;
  },
  audit: (_, options) => audit(env, { json: options.includes('--json') }),
  config: () => showConfig(env),
  'config --help': () => print(configHelp()),
  'integrations create': (name) => makeIntegration(env, name),
  'integrations approve': (id) => judgeIntegration(env, id, 'approved'),
  'integrations suspend': (id) => judgeIntegration(env, id, 'suspended'),
  'users create': (username) => makeUser(env, username),
};

const operands = new Set(Object.keys(commands).filter((name) => /^(integrations|users) /.test(name)));

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

async function run(words: string[]): Promise<number | undefined> {
  const two = words.slice(0, 2).join(' ');
  const name = Object.hasOwn(commands, two) ? two : (words[0] ?? 'help');
  const [operand = '', ...options] = words.slice(name.split(' ').length);
  if (['help', '--help', '-h'].includes(name) || operand === '--help') return print(usage);
  if (!Object.hasOwn(commands, name)) throw new Error(`unknown command: ${words.join(' ')}\n\n${usage}`);
  if (operands.has(name) && operand.trim() === '') throw new Error(`${name} needs one more word\n\n${usage}`);
  return await commands[name]!(operand, [operand, ...options]);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`florin: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
