import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { demoChainDirectory } from '../../src/demo/chain/known.ts';
import { demoPiDirectory } from '../../src/demo/pi/directory.ts';
import { childEnvironment } from '../suite/child-environment.ts';
import { freePorts } from './free-ports.ts';

/** A gateway as a process of its own, as `npm start` runs it. */
export type GatewayProcess = {
  child: ChildProcess;
  /** Base address of the API. */
  url: string;
  shopUrl: string;
  metricsUrl: string;
  /** What it printed so far. */
  output(): string;
  errors(): string;
  /** Settles with the first line on standard output that begins with the ready words; rejects if it ends before. */
  ready: Promise<string>;
  /** Sends a signal and settles with the exit code, which is null where the signal itself ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  exitCode: Promise<number | null>;
};

const main = join(import.meta.dirname, '../../start.mjs');

/**
 * Starts a gateway on ports that are free now, with the words of its command line. `env` adds to its environment, and
 * wins over what is set here.
 */
export async function spawnGateway(
  env: Record<string, string>,
  ...options: string[]
): Promise<GatewayProcess> {
  return await spawnProgram(main, env, options);
}

/** The same with another program than that of the sources. */
export async function spawnProgram(
  program: string,
  env: Record<string, string>,
  options: string[] = [],
): Promise<GatewayProcess> {
  const [port, metricsPort, shopPort, ...networkPorts] = await freePorts(5);
  const child = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...childEnvironment,
      PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
      SHOP_PORT: `${shopPort}`,
      LOG_LEVEL: 'warn',
      ...newNetworkPorts(env.DATA_DIR ?? '', options, networkPorts),
      ...env,
    },
  });
  let output = '';
  let errors = '';
  const exitCode = once(child, 'close').then(() => child.exitCode);
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const line = /^Florin is ready.*$/m.exec(output)?.[0];
      if (line) resolve(line);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    void exitCode.then((code) => reject(new Error(`The gateway ended with ${code}:\n${errors}`)));
  });
  // A test that waits for the end alone does not look at this.
  ready.catch(() => {});
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    shopUrl: `http://127.0.0.1:${shopPort}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    output: () => output,
    errors: () => errors,
    ready,
    exitCode,
    async end(signal) {
      child.kill(signal);
      return await exitCode;
    },
  };
}

/** A demo network keeps the port of its first start: that is a free one, and not the one that a demo takes. */
function newNetworkPorts(dataDir: string, options: string[], [chain, pi]: number[]): Record<string, string> {
  const isNew = (option: string, directory: string) => options.includes(option) && !existsSync(directory);
  return {
    ...(isNew('--chain', demoChainDirectory(dataDir)) && { CHAIN_PORT: `${chain}` }),
    ...(isNew('--pi', demoPiDirectory(dataDir)) && { PI_PORT: `${pi}` }),
  };
}
