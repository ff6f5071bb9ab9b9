-- In which mode a deposit is booked: those of test networks are test money, and only test payments may get them.
ALTER TABLE unmatched_deposits ADD COLUMN mode text NOT NULL DEFAULT 'live' CHECK (mode IN ('test', 'live'));
