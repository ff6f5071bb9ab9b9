-- Which fault was injected into an attempt at a test endpoint on purpose; NULL: none. Until now only the beginning of the
-- error told.
ALTER TABLE delivery_attempts ADD COLUMN injected_fault text;

UPDATE delivery_attempts
SET injected_fault = CASE
  WHEN error LIKE 'Chaos: it was taken%' THEN 'duplicate'
  WHEN error LIKE 'Chaos: held back for % s, so that %' THEN 'reorder'
  WHEN error LIKE 'Chaos: held back%' THEN 'delay'
  WHEN error LIKE 'Chaos: dropped%' THEN 'drop'
  WHEN error LIKE 'Chaos: % a time of an hour ago%' OR error LIKE 'Chaos: % the time of an hour ago%' THEN 'stale_timestamp'
  WHEN error LIKE 'Chaos: % the old secret alone%' THEN 'old_secret'
  ELSE 'bad_signature'
END
WHERE error LIKE 'Chaos:%';
