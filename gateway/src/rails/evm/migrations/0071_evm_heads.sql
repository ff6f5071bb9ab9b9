-- The furthest head that two endpoints knew or that the time passed explains, and when it was asked for: what a
-- single endpoint tells is judged by it.
ALTER TABLE evm_chains ADD COLUMN trusted_number bigint;
ALTER TABLE evm_chains ADD COLUMN trusted_at timestamptz;
-- What is doubtful about the head, in words; NULL: nothing.
ALTER TABLE evm_chains ADD COLUMN head_fault text;
