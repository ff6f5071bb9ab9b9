import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The local chain is missing and could not be installed. The reason was printed on standard error. */
export class ChainNotInstalled extends Error {}

const repository = join(import.meta.dirname, '../../../..');

/** The path of the local chain's program, if it is installed: the package's own starter would not pass signals on. */
export function chainProgram(root = repository): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const name = `anvil-${process.platform}-${arch}`;
  return join(root, 'node_modules/@foundry-rs', name, 'bin', `anvil${suffix}`);
}

/**
 * Installs the local chain if it is missing, as it is at first use. The installer prints what it does. An installed chain
 * needs no network.
 */
export async function installChain(root = repository): Promise<void> {
  if (existsSync(chainProgram(root))) return;
  const installer = join(root, 'scripts/install.mjs');
  const child = spawn(process.execPath, [installer, '--with-chain'], { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0)
    throw new ChainNotInstalled('Florin cannot start: the local chain of --chain could not be installed.');
  if (!existsSync(chainProgram(root))) {
    const platform = `${process.platform}-${process.arch}`;
    throw new ChainNotInstalled(
      `Florin cannot start: the local chain of --chain does not run on ${platform}.`,
    );
  }
}
