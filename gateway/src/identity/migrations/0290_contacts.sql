-- Where customers write to: shown on the hosted page, on receipts and in their mails.
ALTER TABLE integrations ADD COLUMN contact_email text, ADD COLUMN contact_url text;
