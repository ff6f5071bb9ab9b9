#!/usr/bin/env node
import { audit } from '../../gateway/src/commands/audit.ts';
import { configHelp, showConfig } from '../../gateway/src/commands/config.ts';
import { serve } from '../../gateway/src/commands/serve.ts';

const usage = `Usage: florin <command>

  serve             run the gateway
  audit [--json]    recompute the ledger; exit code 0 when it is clean, 2 when it is not
  config            check the configuration and show it
  config --help     every setting, its meaning and its default

Exit codes: 0 done, 1 could not be done, 2 done and found faults.
`;

/** Runs one command; resolves to the exit code, or undefined for one that ends the process itself. */
async function run([command, ...options]: string[]): Promise<number | undefined> {
  const help = options.includes('--help');
  if (command === 'config') {
    if (!help) return showConfig(process.env);
    process.stdout.write(configHelp());
    return 0;
  }
  if (command === 'audit' && !help) return await audit(process.env, { json: options.includes('--json') });
  if (command === 'serve' && !help) {
    await serve(process.env);
    return undefined;
  }
  const asked = help || command === undefined || command === 'help' || command === '--help';
  (asked ? process.stdout : process.stderr).write(asked ? usage : `Unknown command: ${command}\n\n${usage}`);
  return asked ? 0 : 1;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`florin: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
