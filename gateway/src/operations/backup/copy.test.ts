import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { copyIn, copyOut, inPieces } from './copy.ts';

const { db } = await testDatabase();
await db.query('CREATE TABLE coins (number int, name text)');

const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => transaction(db, work);
const generated = (count: number, text = "'coin'") =>
  `COPY (SELECT n, ${text} FROM generate_series(1, ${count}) n) TO STDOUT`;

async function* lines(...pieces: string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

describe('copying out', () => {
  test.each([
    ['no row', 0, "'coin'"],
    ['one row', 1, "'coin'"],
    ['more rows than a piece holds', 300_000, "'coin'"],
    ['rows that are longer than a piece', 3, "repeat('x', 3000000)"],
  ])('yields %s, byte for byte', async (_, count, text) => {
    await within(async (tx) => {
      const { data, rows } = copyOut(tx, generated(count, text));
      const pieces = (await data.toArray()) as Buffer[];
      const value = text === "'coin'" ? 'coin' : 'x'.repeat(3_000_000);
      const expected = Array.from({ length: count }, (_, at) => `${at + 1}\t${value}\n`).join('');
      expect(Buffer.concat(pieces).equals(Buffer.from(expected))).toBe(true);
      expect(await rows()).toBe(count);
      // The connection can be used for the next statement.
      expect((await tx.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });
  });

  test('waits while its reader is slow, and continues after that', async () => {
    await within(async (tx) => {
      const { data, rows } = copyOut(tx, generated(1_000_000));
      let most = 0;
      let bytes = 0;
      for await (const piece of data as AsyncIterable<Buffer>) {
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
        most = Math.max(most, data.readableLength);
        bytes += piece.length;
      }
      expect([await rows(), bytes]).toEqual([1_000_000, 11_888_896]);
      expect(most).toBeLessThan(6_000_000);
    });
  });

  test('fails with the error of the database', async () => {
    await expect(within((tx) => copyOut(tx, 'COPY nothing TO STDOUT').data.toArray())).rejects.toThrow(
      'relation "nothing" does not exist',
    );
    const divides = 'COPY (SELECT 1 / (5 - n) FROM generate_series(1, 9) n) TO STDOUT';
    await expect(within((tx) => copyOut(tx, divides).data.toArray())).rejects.toThrow('division by zero');
  });

  test('that failed leaves its connection usable', async () => {
    await within(async (tx) => {
      await tx.query('SAVEPOINT before');
      await expect(copyOut(tx, 'COPY nothing TO STDOUT').data.toArray()).rejects.toThrow('does not exist');
      await tx.query('ROLLBACK TO before');
      expect((await tx.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });
  });

  test('that is ended early ends its connection, so that the rest does not disturb the next statement', async () => {
    const left = within(async (tx) => {
      for await (const _ of copyOut(tx, generated(1_000_000)).data) break;
      await tx.query('SELECT 1');
    });
    await expect(left).rejects.toThrow();
    expect((await db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('copying in', () => {
  const into = 'COPY coins (number, name) FROM STDIN';
  const names = async (): Promise<string[]> =>
    (await db.query<{ name: string }>('SELECT name FROM coins ORDER BY number')).rows.map(({ name }) => name);

  test('takes rows in pieces of any size', async () => {
    expect(await within((tx) => copyIn(tx, into, lines('1\tflo', 'rin\n2\tpenny', '\n')))).toBe(2);
    expect(await names()).toEqual(['florin', 'penny']);
    expect(await within((tx) => copyIn(tx, into, lines()))).toBe(0);
  });

  test('takes more than the connection holds at once', async () => {
    const piece = '3\tgroat\n'.repeat(100_000);
    expect(await within((tx) => copyIn(tx, into, lines(...Array(8).fill(piece))))).toBe(800_000);
    await db.query('DELETE FROM coins WHERE number = 3');
  });

  test('fails with the error of the database, and takes nothing', async () => {
    const wrong = lines('4\tmark\n', 'four\tmark\n', ...Array(50).fill('5\tmark\n'.repeat(10_000)));
    await expect(within((tx) => copyIn(tx, into, wrong))).rejects.toThrow('invalid input syntax');
    expect(await names()).toEqual(['florin', 'penny']);
  });

  test('fails with the error of its source, and takes nothing', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('6\tcrown\n');
      throw new Error('the disk is gone');
    }
    await expect(within((tx) => copyIn(tx, into, broken()))).rejects.toThrow('the disk is gone');
    expect(await names()).toEqual(['florin', 'penny']);
  });
});

test('pieces are joined until they are large enough, and keep their order', async () => {
  const joined = await Array.fromAsync(inPieces(lines('one', 'two', 'three', '', 'x'), 6));
  expect(joined.map((piece) => piece.toString())).toEqual(['onetwo', 'threex']);
  expect(await Array.fromAsync(inPieces(lines('long enough', 'rest'), 6))).toHaveLength(2);
  expect(await Array.fromAsync(inPieces(lines(), 6))).toEqual([]);
});
