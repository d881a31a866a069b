ALTER TABLE users DROP COLUMN vacation;
DROP TABLE watchers;
DROP TABLE submitted;
DELETE FROM relations WHERE NOT is_blocked;
ALTER TABLE relations DROP COLUMN is_blocked;
ALTER TABLE relations RENAME TO blocks;
DELETE FROM settings WHERE key = 'url';
