-- Work that was accepted and is done in the background. Its row comes with the answer 202; a row without a finish date
-- is what still has to be done.
CREATE TABLE operation (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  operation_type TEXT NOT NULL CHECK (operation_type IN ('COUPLE', 'GET_AND_COUPLE', 'SHIPMENT_BULK_UPSERT')),
  status TEXT NOT NULL
    CHECK (status IN ('PENDING', 'RUNNING', 'SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED')),
  -- What it was asked for beside its items.
  input TEXT NOT NULL CHECK (json_valid(input)),
  total_count INTEGER NOT NULL,
  succeeded_count INTEGER NOT NULL,
  failed_count INTEGER NOT NULL,
  -- Who asked, and in which request: the audit log of what is done names them.
  actor TEXT NOT NULL CHECK (json_valid(actor)),
  request_id TEXT NOT NULL,
  -- When it is sent to the queue next; null once it is finished.
  due_date INTEGER,
  -- How often it was sent since it last got on.
  sent_count INTEGER NOT NULL,
  create_date INTEGER NOT NULL,
  finish_date INTEGER,
  CHECK ((finish_date IS NULL) = (status IN ('PENDING', 'RUNNING'))),
  CHECK ((finish_date IS NULL) = (due_date IS NOT NULL)),
  CHECK (finish_date IS NULL OR succeeded_count + failed_count = total_count)
) STRICT;
CREATE INDEX operation_due ON operation (organization_uuid, due_date);
CREATE INDEX operation_finish_date ON operation (finish_date);

-- The items of an operation, each with what came of it.
CREATE TABLE operation_item (
  organization_uuid TEXT NOT NULL,
  operation_uuid TEXT NOT NULL,
  -- From 0, as in the request.
  item_index INTEGER NOT NULL,
  identifier TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'SUCCEEDED', 'FAILED')),
  -- What is to be done; null once it is done.
  input TEXT CHECK (input IS NULL OR json_valid(input)),
  error_code TEXT,
  error_message TEXT,
  create_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, operation_uuid, item_index),
  CHECK ((status = 'FAILED') = (error_code IS NOT NULL)),
  CHECK ((error_code IS NULL) = (error_message IS NULL))
) STRICT;
CREATE INDEX operation_item_create_date ON operation_item (create_date);

-- Messages that a queue gave up, for the operator to see and to send again.
CREATE TABLE dead_letter (
  uuid TEXT PRIMARY KEY NOT NULL,
  -- The nil UUID for a message that names no organization.
  organization_uuid TEXT NOT NULL,
  -- What the queue is for, as in its name: `operation`.
  queue TEXT NOT NULL,
  -- The queue's own name of the message: a repeat of its delivery is no second letter.
  message_id TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  reason TEXT NOT NULL,
  resend_count INTEGER NOT NULL,
  resend_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX dead_letter_message ON dead_letter (organization_uuid, queue, message_id);
CREATE INDEX dead_letter_create_date ON dead_letter (create_date);
