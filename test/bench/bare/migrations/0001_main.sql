CREATE TABLE item (
  id TEXT PRIMARY KEY NOT NULL,
  collection TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  payload TEXT NOT NULL
) STRICT;
CREATE INDEX item_create_date ON item (collection, create_date, id);

CREATE TABLE allocation (
  organization TEXT NOT NULL,
  first_code INTEGER NOT NULL,
  last_code INTEGER NOT NULL,
  allocated_date INTEGER NOT NULL,
  PRIMARY KEY (organization, first_code)
) STRICT, WITHOUT ROWID;

CREATE TABLE log (
  organization TEXT NOT NULL,
  sequence_number INTEGER NOT NULL,
  event_date INTEGER NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (organization, sequence_number)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  organization TEXT NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  expires_date INTEGER NOT NULL,
  PRIMARY KEY (organization, key)
) STRICT;

CREATE TABLE track (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization TEXT NOT NULL,
  wms_id TEXT NOT NULL,
  marker_code INTEGER NOT NULL,
  create_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX track_wms_id ON track (organization, wms_id);
CREATE UNIQUE INDEX track_marker_code ON track (organization, marker_code);

CREATE TABLE activity (
  uuid TEXT PRIMARY KEY NOT NULL,
  track_uuid TEXT NOT NULL,
  activity_type TEXT NOT NULL,
  create_date INTEGER NOT NULL
) STRICT;
CREATE INDEX activity_track ON activity (track_uuid, create_date);
