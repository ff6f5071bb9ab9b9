import { type Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../command.ts';

type Options = {
  url?: string;
  key?: string;
  allowWrites?: boolean;
  http?: boolean;
  host: string;
  port: number;
};

/** `florin mcp`: the API as tools for AI agents, by the Model Context Protocol. */
export function mcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description('Offer the API to AI agents as tools, by the Model Context Protocol.')
    .option('--allow-writes', 'also offer tools that change something, within the rights of the key')
    .option('--http', 'listen on HTTP in place of standard input and output; each agent sends its own key')
    .option('--host <address>', 'address to listen on with --http', '127.0.0.1')
    .option('--port <number>', 'port to listen on with --http', readPort, 4010)
    .optionsGroup('Where:')
    .option('--url <url>', 'address of the gateway; by default FLORIN_URL, or the demo of this directory')
    .option('--key <key>', 'restricted key; by default FLORIN_SECRET_KEY, or the demo of this directory')
    .action(async ({ http = false, ...options }: Options) => {
      const { serveHttp, serveStdio } = await import('../mcp/run.ts');
      await (http ? serveHttp(options) : serveStdio(options));
    });
  withExamples(
    command,
    ['florin mcp', 'the program that a client on this machine starts; its tools only read'],
    ['florin mcp --allow-writes --http --port 4010', 'for agents that connect to http://127.0.0.1:4010/mcp'],
  );
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('It must be a port: 0 to 65535.');
  return port;
}
