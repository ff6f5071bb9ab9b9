-- The head of receipts, beside the shop's name and contact: the lines of an address, and a tax number.
ALTER TABLE integrations ADD COLUMN postal_address text, ADD COLUMN tax_number text;
