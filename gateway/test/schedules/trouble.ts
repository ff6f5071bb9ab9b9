import pg from 'pg';
import type { Database } from '../../src/kit/db/db.ts';
import { emptyTables } from '../support/database.ts';

// A payment that takes nothing, for a reason that nobody thought of.

export const troubleSql = `
CREATE TABLE schedule_trouble (payment_id uuid NOT NULL);
CREATE FUNCTION make_trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT FROM schedule_trouble t WHERE t.payment_id = NEW.payment_id) THEN
    RAISE EXCEPTION 'trouble';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER make_trouble BEFORE INSERT OR UPDATE ON payment_transfers
FOR EACH ROW EXECUTE FUNCTION make_trouble()`;

export async function makeTrouble(db: Database, paymentId: string): Promise<void> {
  await db.query('INSERT INTO schedule_trouble VALUES ($1)', [paymentId]);
}

export async function endTrouble(db: Database): Promise<void> {
  await emptyTables(db, 'schedule_trouble');
}

export const isTrouble = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.message === 'trouble';
