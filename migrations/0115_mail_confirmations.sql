-- The address of an e-mail webhook in lower case, without its +tag. It names a row of mail_recipient. Null for other formats.
ALTER TABLE webhook ADD COLUMN mailbox TEXT;
-- 1 if the webhook becomes active when its recipient confirms the address. Until then it is not active.
ALTER TABLE webhook ADD COLUMN awaits_confirmation INTEGER NOT NULL DEFAULT 0 CHECK (awaits_confirmation IN (0, 1));

-- When the recipient confirmed the e-mails.
ALTER TABLE mail_recipient ADD COLUMN confirm_date INTEGER;
-- When the organization first asked for the confirmation within a day, and how often it asked since then.
ALTER TABLE mail_recipient ADD COLUMN ask_date INTEGER;
ALTER TABLE mail_recipient ADD COLUMN ask_count INTEGER NOT NULL DEFAULT 0;
-- The tests of the hour that sent_count is about.
ALTER TABLE mail_recipient ADD COLUMN test_count INTEGER NOT NULL DEFAULT 0;
CREATE INDEX mail_recipient_hour ON mail_recipient (organization_uuid, hour_date);
