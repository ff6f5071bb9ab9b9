-- What the hosted page shows of its merchant's own brand, beside the logo: one colour, and a sentence above the amount.
ALTER TABLE integrations
  ADD COLUMN brand_color text CHECK (brand_color ~ '^#[0-9a-f]{6}$'),
  ADD COLUMN page_sentence text;
