CREATE INDEX payouts_fee_withdrawals ON payouts (id DESC) WHERE purpose = 'fee_withdrawal';
