-- Made with the demo. On a gateway that only its own machine reaches, nothing more is asked of such an account.
ALTER TABLE accounts ADD COLUMN is_demo boolean NOT NULL DEFAULT false;
-- The person showed a second factor: a passkey, a code of an authenticator app, or a recovery code.
ALTER TABLE sessions ADD COLUMN has_second_factor boolean NOT NULL DEFAULT false;
