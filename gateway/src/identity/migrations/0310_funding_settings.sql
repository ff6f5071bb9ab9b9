-- What an owner decided about funding users, by mode: {"live": {"enabled": true, "limits": {"usdt-bep20": "100"},
-- "allowanceId": "…"}}. A mode that is not named: enabled, without limits. It is read with each key.
ALTER TABLE integrations ADD COLUMN fundings jsonb NOT NULL DEFAULT '{}';

-- A funding may take of its key's limit and of its integration's.
ALTER TABLE funding_claims DROP CONSTRAINT funding_claims_pkey, ADD PRIMARY KEY (funding_id, allowance_id);
