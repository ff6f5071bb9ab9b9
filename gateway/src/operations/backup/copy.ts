import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Reader, Tx } from '../../kit/db/db.ts';

/**
 * Runs `COPY … TO STDOUT` on a connection that the caller has for itself. `data` yields the rows as they come, in
 * pieces of the driver's size, and reads no faster than it is read. Ended early, it ends the connection.
 * `rows()` counts the rows, after `data` has ended.
 */
export function copyOut(reader: Reader, sql: string): { data: Readable; rows(): Promise<number> } {
  const data = to(sql);
  const submit = data.submit.bind(data);
  data.submit = (connection) => {
    endIfLeft(data, connection);
    submit(connection);
  };
  reader.query(data);
  async function rows(): Promise<number> {
    // The server sends the count after the last row. It has arrived when a later statement has its result.
    await reader.query('SELECT');
    return data.rowCount;
  }
  return { data, rows };
}

/** Ends the connection when `data` is closed before the server has sent all of it or an error. */
function endIfLeft(data: Readable, connection: pg.Connection): void {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  data.once('end', done);
  connection.once('errorMessage', done);
  data.once('close', () => {
    connection.off('errorMessage', done);
    // The rest of the copy would be read as the result of the next statement.
    if (!isDone) connection.stream.destroy();
  });
}

/** Runs `COPY … FROM STDIN` with what `source` yields, and returns the number of rows. */
export async function copyIn(tx: Tx, sql: string, source: AsyncIterable<Buffer>): Promise<number> {
  const target = from(sql);
  tx.query(target);
  await pipeline(source, target);
  return target.rowCount;
}

/** Joins pieces until each has at least `bytes` bytes; the last may be smaller. */
export async function* inPieces(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const part of source) {
    parts.push(part);
    length += part.length;
    if (length < bytes) continue;
    yield Buffer.concat(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(parts);
}
