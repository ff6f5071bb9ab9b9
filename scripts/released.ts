// `node scripts/released.ts`, after a release: writes which migrations are released, and which rights on tables the serving
// role lacks. Tests compare later migrations with it (docs/releases.md).
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readMigrations } from '../gateway/src/kit/db/migrate.ts';
import { keptTables } from '../gateway/src/operations/kept-tables.ts';

const root = dirname(import.meta.dirname);
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
const found = await readMigrations(join(root, 'gateway/src'));
const migrations = Object.fromEntries(found.map(({ name, checksum }) => [name, checksum]));
const text = `${JSON.stringify({ version, migrations, keptTables }, null, 2)}\n`;
await writeFile(join(root, 'gateway/test/schema/released.json'), text);
