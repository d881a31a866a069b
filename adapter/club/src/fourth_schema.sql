ALTER TABLE users ADD COLUMN old_code TEXT;
UPDATE users SET new_address = NULL, new_token = NULL;
ALTER TABLE inbox ADD COLUMN proven INTEGER NOT NULL DEFAULT 0;
