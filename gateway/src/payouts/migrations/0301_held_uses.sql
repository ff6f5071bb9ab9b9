-- What a payout takes of a key's limit may be held by what it carries, which was there before it and is there after it failed:
-- payout_id is then the id of a refund.
ALTER TABLE payout_uses DROP CONSTRAINT payout_uses_payout_id_fkey;
