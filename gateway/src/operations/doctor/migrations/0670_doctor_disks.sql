-- How much room each disk had, from which the doctor tells how fast it fills: {"<machine> <path>": {"free", "all"}}, in bytes.
ALTER TABLE doctor_reports ADD COLUMN disks jsonb NOT NULL DEFAULT '{}';
