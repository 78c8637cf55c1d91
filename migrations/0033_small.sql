-- What is never deleted takes half the room that it took: the audit log and the timelines of tracks, in which words, names
-- and uuids stood over and over. Both are read and written under their names as before, which are views now, so that an
-- older version of the service goes on working. Their rows are copied: while this is applied, a database needs half its
-- size again, and a second for every 30,000 records.

-- What organizations are called where a row has to be short. Another database gives them other numbers.
CREATE TABLE organization_number (
  number INTEGER PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL UNIQUE
) STRICT;

-- Words of the service: what was done to what kind of thing.
CREATE TABLE audit_action (
  number INTEGER PRIMARY KEY NOT NULL,
  action TEXT NOT NULL,
  entity_type TEXT NOT NULL,
  UNIQUE (action, entity_type)
) STRICT;

-- Who did something, as they were called then, and from where.
CREATE TABLE audit_actor (
  number INTEGER PRIMARY KEY NOT NULL,
  organization_number INTEGER NOT NULL,
  actor_type TEXT NOT NULL,
  actor_uuid TEXT,
  actor_display_name TEXT NOT NULL,
  ip_address TEXT,
  -- Of a person: SHA-256 over salt, name and address, which is what records are hashed with. Null in records of before.
  commitment ANY,
  -- Null once the person was erased.
  salt ANY,
  CHECK (salt IS NULL OR commitment IS NOT NULL)
) STRICT;
CREATE INDEX audit_actor_uuid
  ON audit_actor (organization_number, actor_uuid, ip_address, actor_display_name, actor_type);
CREATE INDEX audit_actor_type ON audit_actor (organization_number, actor_type);

-- A record of the audit log. UUIDs and hashes are bytes where text says no more than those; any other text stays.
CREATE TABLE audit_record (
  organization_number INTEGER NOT NULL,
  sequence_number INTEGER NOT NULL,
  event_date INTEGER NOT NULL,
  action_number INTEGER NOT NULL,
  actor_number INTEGER NOT NULL,
  entity_uuid ANY NOT NULL,
  entity_external_id TEXT,
  request_id ANY NOT NULL,
  hash ANY NOT NULL,
  -- [[field, oldValue, newValue]], or what the view shows.
  changes TEXT NOT NULL CHECK (json_valid(changes)),
  -- Null where it follows from the date and the hash.
  uuid TEXT,
  -- Null where it is the hash of the record before.
  previous_hash TEXT,
  -- Of a record about a person: {commitment, salt, fields}, as the API shows it.
  person TEXT CHECK (json_valid(person)),
  -- Whose erasure vouches for what is left of a record that was hashed with what identified a person.
  erased_user_uuid ANY,
  PRIMARY KEY (organization_number, sequence_number)
) STRICT, WITHOUT ROWID;

DROP TRIGGER audit_log_loading_correction;
ALTER TABLE audit_log RENAME TO audit_log_before;

CREATE VIEW audit_log AS SELECT o.organization_uuid, o.number AS organization_number, r.sequence_number,
  coalesce(r.uuid, substr(format('%012x', r.event_date), 1, 8) || '-' || substr(format('%012x', r.event_date), 9)
      || '-7' || substr(lower(hex(r.hash)), 1, 3)
      || '-' || substr('89ab89ab89ab89ab', instr('0123456789abcdef', substr(lower(hex(r.hash)), 4, 1)), 1)
      || substr(lower(hex(r.hash)), 5, 3) || '-' || substr(lower(hex(r.hash)), 8, 12)) AS uuid,
  r.event_date, w.action, a.actor_type, a.actor_uuid, a.actor_display_name, w.entity_type,
  iif(typeof(r.entity_uuid) <> 'blob', r.entity_uuid, lower(substr(hex(r.entity_uuid), 1, 8) || '-' || substr(hex(r.entity_uuid), 9, 4) || '-'
    || substr(hex(r.entity_uuid), 13, 4) || '-' || substr(hex(r.entity_uuid), 17, 4) || '-' || substr(hex(r.entity_uuid), 21))) AS entity_uuid,
  r.entity_external_id,
  iif(substr(r.changes, 1, 2) <> '[[', r.changes, (SELECT json_group_array(json_object('field', c.value ->> 0,
    'oldValue', json(c.value -> 1), 'newValue', json(c.value -> 2))) FROM json_each(r.changes) c)) AS changes,
  iif(typeof(r.request_id) <> 'blob', r.request_id, lower(substr(hex(r.request_id), 1, 8) || '-' || substr(hex(r.request_id), 9, 4) || '-'
    || substr(hex(r.request_id), 13, 4) || '-' || substr(hex(r.request_id), 17, 4) || '-' || substr(hex(r.request_id), 21))) AS request_id,
  a.ip_address,
  coalesce(r.previous_hash, coalesce((SELECT iif(typeof(b.hash) = 'blob', lower(hex(b.hash)), b.hash) FROM audit_record b
      WHERE b.organization_number = r.organization_number AND b.sequence_number < r.sequence_number
      ORDER BY b.sequence_number DESC LIMIT 1),
      '0000000000000000000000000000000000000000000000000000000000000000')) AS previous_hash,
  iif(typeof(r.hash) = 'blob', lower(hex(r.hash)), r.hash) AS hash,
  -- For who puts them together outside: to do it here is to read a row for each.
  r.changes AS short_changes,
  nullif(lower(hex(a.commitment)), '') AS actor_commitment, nullif(lower(hex(a.salt)), '') AS actor_salt, r.person,
  iif(typeof(r.erased_user_uuid) <> 'blob', r.erased_user_uuid, lower(substr(hex(r.erased_user_uuid), 1, 8) || '-' || substr(hex(r.erased_user_uuid), 9, 4) || '-'
    || substr(hex(r.erased_user_uuid), 13, 4) || '-' || substr(hex(r.erased_user_uuid), 17, 4) || '-' || substr(hex(r.erased_user_uuid), 21))) AS erased_user_uuid
FROM organization_number o CROSS JOIN audit_record r ON r.organization_number = o.number
LEFT JOIN audit_action w ON w.number = r.action_number
LEFT JOIN audit_actor a ON a.number = r.actor_number;

CREATE TRIGGER audit_log_insert INSTEAD OF INSERT ON audit_log BEGIN
  -- The fence: a record that follows none is the one of a writer that does not know where the log ends.
  SELECT RAISE(ABORT, 'NOT NULL constraint failed: audit_log.previous_hash') WHERE NEW.previous_hash IS NULL;
  INSERT INTO organization_number (organization_uuid) SELECT NEW.organization_uuid
    WHERE NOT EXISTS (SELECT 1 FROM organization_number WHERE organization_uuid = NEW.organization_uuid);
  INSERT INTO audit_action (action, entity_type) SELECT NEW.action, NEW.entity_type
    WHERE NOT EXISTS (SELECT 1 FROM audit_action WHERE action = NEW.action AND entity_type = NEW.entity_type);
  INSERT INTO audit_actor (organization_number, actor_type, actor_uuid, actor_display_name, ip_address, commitment, salt)
    SELECT o.number, NEW.actor_type, NEW.actor_uuid, NEW.actor_display_name, NEW.ip_address,
      unhex(NEW.actor_commitment), unhex(NEW.actor_salt)
    FROM organization_number o WHERE o.organization_uuid = NEW.organization_uuid
      AND NOT EXISTS (SELECT 1 FROM audit_actor a WHERE a.organization_number = o.number
        AND a.actor_uuid IS NEW.actor_uuid AND a.ip_address IS NEW.ip_address
        AND a.actor_display_name = NEW.actor_display_name AND a.actor_type = NEW.actor_type
        AND a.commitment IS unhex(NEW.actor_commitment) AND a.salt IS unhex(NEW.actor_salt));
  INSERT INTO audit_record (organization_number, sequence_number, event_date, action_number, actor_number, entity_uuid,
    entity_external_id, request_id, hash, changes, uuid, previous_hash, person, erased_user_uuid)
  SELECT o.number, NEW.sequence_number, NEW.event_date,
    (SELECT number FROM audit_action WHERE action = NEW.action AND entity_type = NEW.entity_type),
    (SELECT a.number FROM audit_actor a WHERE a.organization_number = o.number
      AND a.actor_uuid IS NEW.actor_uuid AND a.ip_address IS NEW.ip_address
      AND a.actor_display_name = NEW.actor_display_name AND a.actor_type = NEW.actor_type
      AND a.commitment IS unhex(NEW.actor_commitment) AND a.salt IS unhex(NEW.actor_salt)),
    iif(NEW.entity_uuid = lower(NEW.entity_uuid) AND NEW.entity_uuid LIKE '________-____-____-____-____________'
      AND length(unhex(NEW.entity_uuid, '-')) = 16, unhex(NEW.entity_uuid, '-'), NEW.entity_uuid),
    NEW.entity_external_id,
    iif(NEW.request_id = lower(NEW.request_id) AND NEW.request_id LIKE '________-____-____-____-____________'
      AND length(unhex(NEW.request_id, '-')) = 16, unhex(NEW.request_id, '-'), NEW.request_id),
    coalesce(iif(NEW.hash = lower(NEW.hash), unhex(NEW.hash)), NEW.hash),
    coalesce(NEW.short_changes, NEW.changes),
    nullif(NEW.uuid, substr(format('%012x', NEW.event_date), 1, 8) || '-' || substr(format('%012x', NEW.event_date), 9)
      || '-7' || substr(NEW.hash, 1, 3)
      || '-' || substr('89ab89ab89ab89ab', instr('0123456789abcdef', substr(NEW.hash, 4, 1)), 1)
      || substr(NEW.hash, 5, 3) || '-' || substr(NEW.hash, 8, 12)),
    nullif(NEW.previous_hash, coalesce((SELECT iif(typeof(b.hash) = 'blob', lower(hex(b.hash)), b.hash) FROM audit_record b
      WHERE b.organization_number = o.number AND b.sequence_number < NEW.sequence_number
      ORDER BY b.sequence_number DESC LIMIT 1),
      '0000000000000000000000000000000000000000000000000000000000000000')),
    NEW.person, coalesce(unhex(NEW.erased_user_uuid, '-'), NEW.erased_user_uuid)
  FROM organization_number o WHERE o.organization_uuid = NEW.organization_uuid;
END;

-- What happened, shorter where that says the same.
INSERT INTO audit_log (organization_uuid, sequence_number, uuid, event_date, action, actor_type, actor_uuid, actor_display_name,
  entity_type, entity_uuid, entity_external_id, changes, request_id, ip_address, previous_hash, hash)
SELECT organization_uuid, sequence_number, uuid, event_date, action, actor_type, actor_uuid, actor_display_name,
  entity_type, entity_uuid, entity_external_id,
  iif(changes <> '[]' AND changes = (SELECT json_group_array(json_object('field', c.value ->> 0,
      'oldValue', json(c.value -> 1), 'newValue', json(c.value -> 2))) FROM json_each(short) c), short, changes),
  request_id, ip_address, previous_hash, hash
FROM (SELECT *, (SELECT json_group_array(json_array(c.value ->> 'field', json(c.value -> 'oldValue'),
    json(c.value -> 'newValue'))) FROM json_each(changes) c) AS short FROM audit_log_before)
ORDER BY organization_uuid, sequence_number;
DROP TABLE audit_log_before;

-- After the rows: in the order of its keys, an index is written in one go.
CREATE INDEX audit_record_event_date ON audit_record (organization_number, event_date);
CREATE INDEX audit_record_entity_uuid ON audit_record (organization_number, entity_uuid);
CREATE INDEX audit_record_entity_external_id ON audit_record (organization_number, entity_external_id);

-- Actors, and the number of an organization, go with the last record.
CREATE TRIGGER audit_log_delete INSTEAD OF DELETE ON audit_log BEGIN
  DELETE FROM audit_record WHERE organization_number = OLD.organization_number AND sequence_number = OLD.sequence_number;
  DELETE FROM audit_actor WHERE organization_number = OLD.organization_number
    AND NOT EXISTS (SELECT 1 FROM audit_record WHERE organization_number = OLD.organization_number);
  DELETE FROM organization_number WHERE number = OLD.organization_number
    AND NOT EXISTS (SELECT 1 FROM audit_record WHERE organization_number = OLD.organization_number)
    AND NOT EXISTS (SELECT 1 FROM activity WHERE organization_number = OLD.organization_number);
END;

-- As before (see 0032).
CREATE TRIGGER audit_log_loading_correction INSTEAD OF INSERT ON audit_log WHEN NEW.entity_type = 'ASSET_LOADING' BEGIN
  INSERT INTO loading_correction (organization_uuid, manifest_uuid, sequence_number)
  SELECT NEW.organization_uuid, a.manifest_uuid, NEW.sequence_number
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.uuid = NEW.entity_uuid AND a.organization_uuid = NEW.organization_uuid
    AND m.manifest_status IN ('COMPLETED', 'CANCELLED')
    AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING';
END;

-- An entry of a timeline.
CREATE TABLE activity (
  organization_number INTEGER NOT NULL,
  -- From 1, in the order in which entries were made.
  number INTEGER NOT NULL,
  track_uuid ANY NOT NULL,
  uuid ANY NOT NULL,
  activity_type TEXT NOT NULL,
  activity_date INTEGER NOT NULL,
  -- When the entry was made; null where that was the instant it tells of.
  entry_date INTEGER,
  gate_uuid ANY,
  manifest_external_id TEXT,
  shipment_external_id TEXT,
  -- Empty where it is a user, who is called what it is called now.
  author TEXT NOT NULL,
  author_uuid ANY,
  details TEXT,
  PRIMARY KEY (organization_number, number)
) STRICT, WITHOUT ROWID;

ALTER TABLE track_activity RENAME TO track_activity_before;

CREATE VIEW track_activity AS SELECT
  iif(typeof(t.uuid) <> 'blob', t.uuid, lower(substr(hex(t.uuid), 1, 8) || '-' || substr(hex(t.uuid), 9, 4) || '-'
    || substr(hex(t.uuid), 13, 4) || '-' || substr(hex(t.uuid), 17, 4) || '-' || substr(hex(t.uuid), 21))) AS uuid,
  o.organization_uuid,
  iif(typeof(t.track_uuid) <> 'blob', t.track_uuid, lower(substr(hex(t.track_uuid), 1, 8) || '-' || substr(hex(t.track_uuid), 9, 4) || '-'
    || substr(hex(t.track_uuid), 13, 4) || '-' || substr(hex(t.track_uuid), 17, 4) || '-' || substr(hex(t.track_uuid), 21))) AS track_uuid,
  t.activity_type,
  iif(typeof(t.gate_uuid) <> 'blob', t.gate_uuid, lower(substr(hex(t.gate_uuid), 1, 8) || '-' || substr(hex(t.gate_uuid), 9, 4) || '-'
    || substr(hex(t.gate_uuid), 13, 4) || '-' || substr(hex(t.gate_uuid), 17, 4) || '-' || substr(hex(t.gate_uuid), 21))) AS gate_uuid,
  t.manifest_external_id,
  iif(t.author_uuid IS NULL, t.author, coalesce((SELECT u.first_name || ' ' || u.last_name FROM user u
    WHERE u.uuid = lower(substr(hex(t.author_uuid), 1, 8) || '-' || substr(hex(t.author_uuid), 9, 4) || '-'
    || substr(hex(t.author_uuid), 13, 4) || '-' || substr(hex(t.author_uuid), 17, 4) || '-' || substr(hex(t.author_uuid), 21))), '')) AS author,
  t.details, t.activity_date AS create_date,
  coalesce(t.entry_date, t.activity_date) AS update_date, t.shipment_external_id,
  iif(t.author_uuid IS NULL, NULL, lower(substr(hex(t.author_uuid), 1, 8) || '-' || substr(hex(t.author_uuid), 9, 4) || '-'
    || substr(hex(t.author_uuid), 13, 4) || '-' || substr(hex(t.author_uuid), 17, 4) || '-' || substr(hex(t.author_uuid), 21))) AS author_uuid,
  -- What it is found by: not shown.
  t.number, t.track_uuid AS track_key
FROM organization_number o CROSS JOIN activity t ON t.organization_number = o.number;

CREATE TRIGGER track_activity_insert INSTEAD OF INSERT ON track_activity BEGIN
  INSERT INTO organization_number (organization_uuid) SELECT NEW.organization_uuid
    WHERE NOT EXISTS (SELECT 1 FROM organization_number WHERE organization_uuid = NEW.organization_uuid);
  INSERT INTO activity (organization_number, number, track_uuid, uuid, activity_type, activity_date, entry_date, gate_uuid,
    manifest_external_id, shipment_external_id, author, author_uuid, details)
  SELECT o.number, coalesce(NEW.number, (SELECT max(number) FROM activity WHERE organization_number = o.number) + 1, 1),
    iif(NEW.track_uuid = lower(NEW.track_uuid) AND NEW.track_uuid LIKE '________-____-____-____-____________'
      AND length(unhex(NEW.track_uuid, '-')) = 16, unhex(NEW.track_uuid, '-'), NEW.track_uuid),
    iif(NEW.uuid = lower(NEW.uuid) AND NEW.uuid LIKE '________-____-____-____-____________'
      AND length(unhex(NEW.uuid, '-')) = 16, unhex(NEW.uuid, '-'), NEW.uuid),
    NEW.activity_type, NEW.create_date, nullif(NEW.update_date, NEW.create_date),
    iif(NEW.gate_uuid = lower(NEW.gate_uuid) AND NEW.gate_uuid LIKE '________-____-____-____-____________'
      AND length(unhex(NEW.gate_uuid, '-')) = 16, unhex(NEW.gate_uuid, '-'), NEW.gate_uuid),
    NEW.manifest_external_id, NEW.shipment_external_id,
    iif(NEW.author_uuid IS NULL, NEW.author, ''), unhex(NEW.author_uuid, '-'), NEW.details
  FROM organization_number o WHERE o.organization_uuid = NEW.organization_uuid;
END;

-- Entries say which user made them, where the log knows a user by the name that stands in them.
INSERT INTO track_activity (organization_uuid, uuid, track_uuid, activity_type, gate_uuid, manifest_external_id, shipment_external_id,
  author, author_uuid, details, create_date, update_date)
SELECT b.organization_uuid, b.uuid, b.track_uuid, b.activity_type, b.gate_uuid, b.manifest_external_id, b.shipment_external_id,
  b.author,
  (SELECT a.actor_uuid FROM audit_actor a JOIN organization_number o ON o.number = a.organization_number
    WHERE o.organization_uuid = b.organization_uuid AND a.actor_type = 'USER' AND a.actor_display_name = b.author LIMIT 1),
  b.details, b.create_date, b.update_date
FROM track_activity_before b ORDER BY b.uuid;
DROP TABLE track_activity_before;
CREATE INDEX activity_track ON activity (organization_number, track_uuid, activity_date, entry_date);

CREATE TRIGGER track_activity_delete INSTEAD OF DELETE ON track_activity BEGIN
  DELETE FROM activity WHERE number = OLD.number AND organization_number =
    (SELECT number FROM organization_number WHERE organization_uuid = OLD.organization_uuid);
  DELETE FROM organization_number WHERE organization_uuid = OLD.organization_uuid
    AND NOT EXISTS (SELECT 1 FROM audit_record WHERE organization_number = organization_number.number)
    AND NOT EXISTS (SELECT 1 FROM activity WHERE organization_number = organization_number.number);
END;

-- So do comments.
ALTER TABLE track_comment ADD COLUMN author_uuid TEXT;
UPDATE track_comment SET author_uuid =
  (SELECT a.actor_uuid FROM audit_actor a JOIN organization_number o ON o.number = a.organization_number
    WHERE o.organization_uuid = track_comment.organization_uuid AND a.actor_type = 'USER'
      AND a.actor_display_name = track_comment.author LIMIT 1);
UPDATE track_comment SET author = '' WHERE author_uuid IS NOT NULL;

-- Users who were erased: how far their log was looked through for the person.
ALTER TABLE user ADD COLUMN erasing_position INTEGER;
CREATE INDEX user_erasing ON user (erasing_position, organization_uuid) WHERE erasing_position IS NOT NULL;
