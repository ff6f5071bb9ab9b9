-- Whether the password was made by whoever made the user, who then chooses another one at the first sign-in.
ALTER TABLE users ADD COLUMN password_given boolean NOT NULL DEFAULT false;
