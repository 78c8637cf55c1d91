-- Receivers that are told of events. What has to be read again to be used (secrets, values of headers) is encrypted.
CREATE TABLE webhook (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- Empty: all.
  event_types TEXT NOT NULL CHECK (json_valid(event_types)),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  -- Why and when the service itself switched it off.
  disabled_reason TEXT CHECK (disabled_reason IN ('GONE', 'FAILING')),
  disabled_date INTEGER,
  -- [{name, value}], values encrypted.
  custom_headers TEXT NOT NULL CHECK (json_valid(custom_headers)),
  -- [{sealed, validUntilDate}], the current one first.
  secrets TEXT NOT NULL CHECK (json_valid(secrets)),
  -- Origin of the links in what it is sent.
  link_origin TEXT NOT NULL,
  -- The last event that deliveries were made of.
  position INTEGER NOT NULL,
  -- The first failure since the last success.
  failing_since INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  CHECK (active = 0 OR disabled_reason IS NULL),
  CHECK ((disabled_reason IS NULL) = (disabled_date IS NULL))
) STRICT;
CREATE INDEX webhook_create_date ON webhook (organization_uuid, create_date, uuid);

-- One row for each event that a webhook is to be sent. Pruned by its uuid, which begins with its time.
CREATE TABLE webhook_delivery (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  webhook_uuid TEXT NOT NULL,
  -- Null for a test.
  sequence_number INTEGER,
  event_uuid TEXT NOT NULL,
  event_type TEXT NOT NULL,
  -- WAITING for due_date; QUEUED: a message is on its way; CLAIMED by a consumer, until due_date at most.
  state TEXT NOT NULL CHECK (state IN ('WAITING', 'QUEUED', 'CLAIMED', 'SUCCEEDED', 'FAILED')),
  claim TEXT,
  -- When somebody has to look at it again; null once it is settled.
  due_date INTEGER,
  -- Messages sent since it was claimed last.
  queued_count INTEGER NOT NULL,
  -- Failures of the schedule that it is on, and when that began.
  failures_count INTEGER NOT NULL,
  first_attempt_date INTEGER,
  -- [{attemptDate, statusCode, durationMs, response, error}], the latest last.
  attempts TEXT NOT NULL CHECK (json_valid(attempts)),
  attempts_count INTEGER NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  CHECK ((state = 'CLAIMED') = (claim IS NOT NULL)),
  CHECK ((state IN ('SUCCEEDED', 'FAILED')) = (due_date IS NULL))
) STRICT;
CREATE UNIQUE INDEX webhook_delivery_event ON webhook_delivery (organization_uuid, webhook_uuid, sequence_number);
CREATE INDEX webhook_delivery_due ON webhook_delivery (organization_uuid, webhook_uuid, state, due_date)
  WHERE due_date IS NOT NULL;
CREATE INDEX webhook_delivery_failed ON webhook_delivery (organization_uuid, webhook_uuid, first_attempt_date)
  WHERE state = 'FAILED';
CREATE INDEX webhook_delivery_create_date ON webhook_delivery (organization_uuid, webhook_uuid, create_date, uuid);
