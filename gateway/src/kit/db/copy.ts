import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import type pg from 'pg';
import type { Reader, Tx } from './db.ts';

/** What the driver has of the wire protocol; its own types leave the part of COPY out. */
type Wire = {
  stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(why: string): void;
  endCopyFrom(): void;
};

type Handlers = {
  submit(wire: Wire): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
  handleCommandComplete(message: { text: string }): void;
  handleCopyData?(message: { chunk: Buffer }): void;
  handleCopyInResponse?(wire: Wire): void;
};

/** The size of the pieces that `copyOut` yields; a row that is longer makes a longer one. */
const pieceBytes = 1024 * 1024;

/**
 * Runs `COPY … TO STDOUT` on a connection of the caller's own. `data` yields the rows as they come and reads no
 * faster than it is read; left early, or broken off, it ends the connection. `rows` holds once `data` has ended.
 */
export function copyOut(reader: Reader, sql: string): { data: Readable; rows(): number } {
  let wire: Wire | undefined;
  let rows = 0;
  let isComplete = false;
  let room = Buffer.allocUnsafe(pieceBytes);
  let used = 0;
  const data = new Readable({
    highWaterMark: pieceBytes,
    read: () => wire?.stream.resume(),
    destroy(error, done) {
      // What is left of the copy would be taken for the answer to the next statement.
      if (!isComplete) wire?.stream.destroy();
      done(error);
    },
  });
  const push = (piece: Buffer): void => {
    if (piece.length > 0 && !data.push(piece)) wire?.stream.pause();
  };
  const flush = (): void => {
    push(room.subarray(0, used));
    room = Buffer.allocUnsafe(pieceBytes);
    used = 0;
  };
  run(reader, {
    submit(connection) {
      wire = connection;
      wire.query(sql);
    },
    // The driver reads on into the same memory, so that the bytes are copied at once.
    handleCopyData({ chunk }) {
      if (used + chunk.length > pieceBytes) flush();
      if (chunk.length > pieceBytes) push(Buffer.from(chunk));
      else used += chunk.copy(room, used);
    },
    handleCommandComplete({ text }) {
      rows = rowsOf(text);
    },
    handleError(error) {
      isComplete = true;
      data.destroy(error);
    },
    handleReadyForQuery() {
      isComplete = true;
      flush();
      wire?.stream.resume();
      data.push(null);
    },
  });
  return { data, rows: () => rows };
}

/** Runs `COPY … FROM STDIN` with what `source` yields, and returns how many rows that were. */
export function copyIn(tx: Tx, sql: string, source: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0;
    let refused = false;
    async function feed(wire: Wire): Promise<void> {
      for await (const piece of source) {
        if (refused) return;
        wire.sendCopyFromChunk(piece);
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain');
      }
      wire.endCopyFrom();
    }
    run(tx, {
      submit: (wire) => wire.query(sql),
      handleCopyInResponse(wire) {
        feed(wire).catch((error: Error) => {
          reject(error);
          wire.sendCopyFail('The source failed');
        });
      },
      handleCommandComplete({ text }) {
        rows = rowsOf(text);
      },
      handleError(error) {
        refused = true;
        reject(error);
      },
      handleReadyForQuery: () => resolve(rows),
    });
  });
}

function run(reader: Reader, handlers: Handlers): void {
  reader.query(handlers as unknown as pg.Submittable);
}

/** `COPY 12` tells of 12 rows. */
function rowsOf(tag: string): number {
  return Number.parseInt(tag.slice('COPY '.length), 10);
}
