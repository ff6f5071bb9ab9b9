-- The table `leases` says who reads the custody account and who sends from it.
ALTER TABLE pi_accounts DROP COLUMN reader, DROP COLUMN lease_until;

ALTER TABLE pi_lanes DROP COLUMN holder, DROP COLUMN held_until;
ALTER TABLE pi_lanes RENAME TO pi_senders;
ALTER INDEX pi_lanes_pkey RENAME TO pi_senders_pkey;
