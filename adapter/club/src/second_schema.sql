ALTER TABLE outbox ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN cause INTEGER DEFAULT 0;
CREATE INDEX outbox_by_cause ON outbox (cause, at);
CREATE TABLE relations (
    user INTEGER NOT NULL, other INTEGER NOT NULL, is_blocked INTEGER NOT NULL, PRIMARY KEY (user, other)) STRICT;
CREATE TABLE submitted (
    board INTEGER NOT NULL, user INTEGER NOT NULL, number INTEGER NOT NULL, code TEXT NOT NULL,
    PRIMARY KEY (board, user)) STRICT;
UPDATE boards SET since = max(since,
    (SELECT vacation FROM users WHERE users.id = CASE to_move WHEN 0 THEN p1 ELSE p2 END)) WHERE state = 'playing';
INSERT INTO settings VALUES ('ticked', '0'), ('authserv_id', '');
