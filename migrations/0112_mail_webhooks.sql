-- The format of e-mails. Null means the value of chat_format or format. An e-mail webhook also has the chat_format SLACK. Versions
-- before this one then create deliveries of the same events for it, and refuse to send them to its address.
ALTER TABLE webhook ADD COLUMN mail_format TEXT CHECK (mail_format = 'EMAIL');
