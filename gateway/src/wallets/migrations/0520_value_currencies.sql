-- The currency of ISO 4217 in which the wallet's pages show what a user's coins are worth; null: in none. Nothing is booked in it.
ALTER TABLE users ADD COLUMN value_currency text;
