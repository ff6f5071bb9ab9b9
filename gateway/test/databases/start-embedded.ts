// A process that starts the embedded server of the data directory given to it, and then only lives: tests kill it.
import { startEmbedded } from '../../src/kit/postgres/embedded-postgres.ts';

const [dataDir] = process.argv.slice(2);
await startEmbedded({ dataDir: dataDir!, log: () => {}, settings: { shared_buffers: '16MB', fsync: 'off' } });
process.stdout.write('started\n');
