-- The format of e-mails. Null means the value of chat_format or format. An e-mail webhook also has the chat_format SLACK. Versions
-- before this one then create deliveries of the same events for it, and refuse to send them to its address.
ALTER TABLE webhook ADD COLUMN mail_format TEXT CHECK (mail_format = 'EMAIL');

-- The delivery with the message that lists this one. The first delivery of such a message has its own uuid.
ALTER TABLE webhook_delivery ADD COLUMN digest_uuid TEXT;
CREATE INDEX webhook_delivery_digest ON webhook_delivery (digest_uuid) WHERE digest_uuid IS NOT NULL;

-- The addresses that got e-mails in the present hour or have stopped them. Addresses are in lower case.
CREATE TABLE mail_recipient (
  organization_uuid TEXT NOT NULL,
  address TEXT NOT NULL,
  stop_date INTEGER,
  hour_date INTEGER NOT NULL,
  sent_count INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, address)
) STRICT, WITHOUT ROWID;
