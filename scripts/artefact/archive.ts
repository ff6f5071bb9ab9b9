import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { makeArtefact } from './make.ts';

/** Files that are run. */
const isProgram = (path: string): boolean => path === 'cli/src/main.js';

/**
 * A tar archive of the program of a clone that is installed and built, below a folder of this name. The same commit and
 * the same packages give the same bytes.
 */
export async function programTar(root: string, name: string): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), 'florin-program-'));
  try {
    await makeArtefact(root, directory);
    const paths = globSync('**/*', { cwd: directory })
      .filter((path) => statSync(join(directory, path)).isFile())
      .sort();
    const archive = pack();
    const whole = buffer(archive);
    for (const path of paths)
      archive.entry(
        { name: `${name}/${path}`, mode: isProgram(path) ? 0o755 : 0o644, mtime: new Date(0) },
        readFileSync(join(directory, path)),
      );
    archive.finalize();
    return await whole;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
