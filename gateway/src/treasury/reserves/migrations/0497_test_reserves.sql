-- The same of the networks of test mode; NULL: there are none, or the version before made the report.
ALTER TABLE reserve_reports ADD COLUMN test_items jsonb, ADD COLUMN test_missing jsonb;
