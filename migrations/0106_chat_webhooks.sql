-- The formats of chat services. Null means the value of the column format, which cannot get new values. Versions before this one
-- take a chat webhook for one of the format EVENT.
ALTER TABLE webhook ADD COLUMN chat_format TEXT CHECK (chat_format IN ('SLACK', 'TEAMS'));
-- JSON array of the alert types of ALERT_RAISED that a webhook receives. Null means all types.
ALTER TABLE webhook ADD COLUMN alert_types TEXT CHECK (json_valid(alert_types));
