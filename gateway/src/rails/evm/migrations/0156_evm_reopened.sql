-- A transaction that was final, and whose block left the chain, is followed again. Another one may have got its nonce in the
-- meantime: both are followed, and the chain takes one of them.
ALTER TABLE evm_transactions ADD COLUMN reopened boolean NOT NULL DEFAULT false;
DROP INDEX evm_transactions_nonce;
CREATE UNIQUE INDEX evm_transactions_nonce ON evm_transactions (chain_id, sender, nonce)
  WHERE state IN ('prepared', 'sent', 'mined') AND NOT reopened;
