// A process that stamps without end on the database whose connection is given to it: tests kill it.
import { pino } from 'pino';
import { systemClock } from '../../src/kit/clock.ts';
import { openDatabase } from '../../src/kit/db/db.ts';
import { createStamper } from '../../src/operations/stamps/stamper.ts';

const [connection] = process.argv.slice(2);
const db = openDatabase(JSON.parse(connection!), 2);
const stamper = createStamper({ db, headsFile: '', log: pino({ level: 'silent' }), now: systemClock });
for (;;) {
  // A statement that waited too long for the test is tried again.
  await stamper.run().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 10));
}
