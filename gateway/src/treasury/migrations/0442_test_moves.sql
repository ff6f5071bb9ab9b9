-- In which mode a move is booked: those of test networks are test money.
ALTER TABLE treasury_moves ADD COLUMN mode text NOT NULL DEFAULT 'live' CHECK (mode IN ('test', 'live'));
