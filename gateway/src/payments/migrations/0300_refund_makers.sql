-- The person who made a refund, or who made the key that did; they never approve its payout. NULL: it is what was owed to the
-- customer, or a key without a maker made it.
ALTER TABLE payment_refunds ADD COLUMN made_by uuid;
