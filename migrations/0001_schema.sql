-- The schema of version 1.0.0. Later migrations only add to it.

-- Dates are epoch milliseconds (UTC). Rows of an organization carry its uuid or number, first in most indexes.
-- There are no foreign keys and no cascades. Comments have no quotes and no semicolons, because D1 splits files there.

-- A database of a commit before 1.0.0 cannot be updated. This statement fails if the database has tables. The text is an
-- invalid JSON path, so the error message shows it.
SELECT json_extract('{}', 'the database is of a commit before 1.0.0: start again with an empty one (locally: delete .state)')
FROM sqlite_schema WHERE type = 'table' AND name = 'organization';

-- Organizations with their settings. The nil UUID means the service itself.
CREATE TABLE organization (
  uuid TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  dispatch_strategy TEXT NOT NULL CHECK (dispatch_strategy IN ('MANIFEST', 'SHIPMENT')),
  client_feature_enabled INTEGER NOT NULL CHECK (client_feature_enabled IN (0, 1)),
  marker_allocation_maximum INTEGER NOT NULL,
  marker_code_start INTEGER NOT NULL,
  requests_per_minute INTEGER NOT NULL,
  shipment_custom_fields TEXT NOT NULL CHECK (json_valid(shipment_custom_fields)),
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  -- A device is shown as OFFLINE when its last heartbeat is older than this.
  device_offline_after_seconds INTEGER NOT NULL DEFAULT 300,
  -- An organization lives in one of several databases. DB has a row of every organization and knows where each one
  -- lives. Another database has rows only of organizations that live there or have lived there.
  residence TEXT NOT NULL DEFAULT 'HERE'
    CHECK (residence IN ('HERE', 'FROZEN', 'PLANNED', 'ARRIVING', 'ELSEWHERE')),
  -- Binding of the database that the organization lives in, or null for DB.
  database_name TEXT,
  -- Since when two databases may disagree about the organization, or null if they agree.
  unsettled_date INTEGER,
  -- Claim of the job that may insert rows while the organization is ARRIVING.
  arrival_claim TEXT,
  -- Since when the operator has suspended the organization.
  suspended_date INTEGER,
  -- Days that closed manifests and shipments stay in the database before they are archived. Null keeps them forever.
  retention_days INTEGER CHECK (retention_days BETWEEN 90 AND 3650),
  -- In a sandbox, scans of cameras can be simulated at the gates.
  sandbox INTEGER NOT NULL DEFAULT 0 CHECK (sandbox IN (0, 1)),
  -- How tablets of gates identify their workers.
  gate_worker_identification TEXT NOT NULL DEFAULT 'NONE'
    CHECK (gate_worker_identification IN ('NONE', 'BADGE', 'PIN')),
  -- Time zone (IANA) in which times are shown.
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  -- The size of pallet labels. Null means A4, the only size before.
  label_size TEXT
  CHECK (label_size IN ('A4', 'LETTER', 'A6', 'INCH_4X6')),
  -- The daily quiet hours of an organization as HH:MM in its time zone. Null means none.
  quiet_from TEXT,
  quiet_to TEXT
) STRICT;
CREATE UNIQUE INDEX organization_slug ON organization (slug);
CREATE INDEX organization_create_date ON organization (create_date, uuid);
-- The last 8 characters of the uuid are the routing tag, the first part of secrets and tokens.
CREATE INDEX organization_routing_tag ON organization (substr(uuid, -8));
CREATE INDEX organization_database_name ON organization (database_name);
CREATE INDEX organization_unsettled_date ON organization (unsettled_date)
  WHERE unsettled_date IS NOT NULL;
CREATE INDEX organization_retention ON organization (uuid) WHERE retention_days IS NOT NULL;
-- A job looks for arriving organizations every minute.
CREATE INDEX organization_arriving ON organization (residence) WHERE residence = 'ARRIVING';

-- Another field becomes the departure, or the organization arrives in this database or leaves it.
CREATE TRIGGER organization_departure_update AFTER UPDATE OF shipment_custom_fields, residence ON organization
WHEN OLD.residence IS NOT NEW.residence OR OLD.shipment_custom_fields IS NOT NEW.shipment_custom_fields BEGIN
  DELETE FROM departure_due WHERE organization_uuid = NEW.uuid AND NEW.residence NOT IN ('HERE', 'FROZEN');
  INSERT INTO departure_due SELECT NEW.uuid, 0 WHERE NEW.residence = 'HERE'
      AND instr(OLD.shipment_custom_fields || NEW.shipment_custom_fields, 'PLANNED_DEPARTURE') > 0
    ON CONFLICT DO UPDATE SET due_date = 0 WHERE departure_due.due_date > 0;
END;

-- Short numbers of organizations for tables whose rows have to be small. They differ from database to database.
CREATE TABLE organization_number (
  number INTEGER PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL UNIQUE
) STRICT;

-- Organizations with work for the retention job, and when it looks again.
CREATE TABLE retention_due (
  organization_uuid TEXT PRIMARY KEY NOT NULL,
  due_date INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX retention_due_date ON retention_due (due_date, organization_uuid);

-- Organizations whose nightly export is due, and when the job looks again. The export itself is in the bucket.
CREATE TABLE nightly_export_due (
  organization_uuid TEXT PRIMARY KEY NOT NULL,
  due_date INTEGER NOT NULL,
  -- JSON of an export under way: its date, the number of its parts so far, and the place of the next part.
  progress TEXT CHECK (json_valid(progress))
) STRICT, WITHOUT ROWID;
CREATE INDEX nightly_export_due_date ON nightly_export_due (due_date, organization_uuid);

-- Settings of databases, stored in DB. A database without a row accepts new organizations.
CREATE TABLE database_setting (
  database_name TEXT PRIMARY KEY NOT NULL,
  -- Whether new organizations are placed in the database.
  open INTEGER NOT NULL CHECK (open IN (0, 1)),
  update_date INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last measurement and the last complete turns of each database, stored in DB. A database without a row had no turn yet.
CREATE TABLE database_measurement (
  database_name TEXT PRIMARY KEY NOT NULL,
  -- NULL before the first measurement. Then the other values of a measurement are NULL, too.
  measure_date INTEGER,
  size_bytes INTEGER,
  -- JSON array with the names of the applied migrations. NULL if the database has no list of them.
  migrations TEXT,
  -- JSON object with the numbers of waiting work and the figures of the last day.
  counts TEXT,
  -- The time of the last failure. NULL if the database answered since.
  failure_date INTEGER,
  -- The last turns in which no task failed, of the schedule of each minute and of the daily one, or the first turn.
  minute_date INTEGER,
  day_date INTEGER
) STRICT, WITHOUT ROWID;

-- Rows that changed after a move copied them. Triggers that exist during the move insert them. The move deletes them
-- when it has copied them again.
CREATE TABLE moved_row (
  organization_uuid TEXT NOT NULL,
  table_name TEXT NOT NULL,
  -- JSON array of the primary key.
  row_key TEXT NOT NULL,
  -- Rowid, if the table has one. Rows are copied in this order.
  position INTEGER NOT NULL,
  changes_count INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, table_name, row_key)
) STRICT, WITHOUT ROWID;

-- Running exports, stored in the database of the organization.
CREATE TABLE export (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  -- When the reader last fetched a page. Abandoned exports are removed.
  renewed_date INTEGER NOT NULL
) STRICT;
CREATE INDEX export_organization ON export (organization_uuid);

-- Rows that changed during an export, as they were when it started. Triggers that exist during the export insert them.
-- The value is null for a row that did not exist yet.
CREATE TABLE export_row (
  export_uuid TEXT NOT NULL,
  organization_uuid TEXT NOT NULL,
  table_name TEXT NOT NULL,
  -- Rowid at the start, if the table has one.
  position INTEGER NOT NULL,
  -- JSON array of the primary key.
  row_key TEXT NOT NULL,
  -- JSONB array of the columns.
  was BLOB,
  PRIMARY KEY (export_uuid, table_name, row_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX export_row_position ON export_row (export_uuid, table_name, position);

-- Named credentials of operators, created with the bootstrap key. They belong to no organization and are stored in DB
-- only. Secrets are stored like secrets of API keys.
CREATE TABLE operator (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL CHECK (organization_uuid = '00000000-0000-0000-0000-000000000000'),
  kind TEXT NOT NULL CHECK (kind = 'OPERATOR'),
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  expires_date INTEGER,
  revoked_date INTEGER,
  last_used_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE INDEX operator_create_date ON operator (organization_uuid, kind, create_date, uuid);

CREATE TABLE operator_secret (
  hash TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  credential_uuid TEXT NOT NULL,
  -- When the overlap of a rotated secret is over, or null for the current secret.
  valid_until_date INTEGER,
  create_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX operator_secret_current ON operator_secret (organization_uuid, credential_uuid)
  WHERE valid_until_date IS NULL;
CREATE INDEX operator_secret_credential ON operator_secret (organization_uuid, credential_uuid);

-- API keys and access tokens. Only SHA-256 hashes of their secrets are stored, in credential_secret.
CREATE TABLE credential (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('API_KEY', 'ACCESS_TOKEN')),
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  expires_date INTEGER,
  revoked_date INTEGER,
  last_used_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE INDEX credential_create_date ON credential (organization_uuid, kind, create_date, uuid);

CREATE TABLE credential_secret (
  hash TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  credential_uuid TEXT NOT NULL,
  -- When the overlap of a rotated secret is over, or null for the current secret.
  valid_until_date INTEGER,
  create_date INTEGER NOT NULL
) STRICT;
CREATE INDEX credential_secret_credential ON credential_secret (organization_uuid, credential_uuid);
CREATE UNIQUE INDEX credential_secret_current ON credential_secret (organization_uuid, credential_uuid)
  WHERE valid_until_date IS NULL;

-- Authorities: named sets of permissions.
CREATE TABLE authority (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  authority_name TEXT NOT NULL,
  -- 1 for the built-in authorities that every organization has.
  internal INTEGER NOT NULL CHECK (internal IN (0, 1)),
  permissions TEXT NOT NULL CHECK (json_valid(permissions)),
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX authority_name ON authority (organization_uuid, authority_name);

-- Users of organizations.
CREATE TABLE user (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone_number TEXT,
  authority_uuid TEXT NOT NULL,
  -- Hash of the password in PHC format (scrypt), or null if the user has no password.
  password_hash TEXT,
  -- Whether the user must change the password at the next sign-in.
  password_change_required INTEGER NOT NULL CHECK (password_change_required IN (0, 1)),
  -- SHA-256 (hex) of the token in the invitation link, which can set a password until it expires.
  invite_hash TEXT,
  invite_expires_date INTEGER,
  -- A session is valid while its epoch equals this one. Increasing it ends all sessions.
  session_epoch INTEGER NOT NULL,
  folded_first_name TEXT NOT NULL,
  folded_last_name TEXT NOT NULL,
  folded_email TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  -- 1 while requests of an erased user may still write personal data.
  erasing INTEGER CHECK (erasing = 1),
  CHECK ((invite_hash IS NULL) = (invite_expires_date IS NULL)),
  CHECK (deleted_date IS NULL OR (password_hash IS NULL AND invite_hash IS NULL))
) STRICT;
CREATE UNIQUE INDEX user_email ON user (organization_uuid, folded_email) WHERE deleted_date IS NULL;
-- The link contains no organization, so users are found by the hash alone.
CREATE UNIQUE INDEX user_invite_hash ON user (invite_hash) WHERE invite_hash IS NOT NULL;
CREATE INDEX user_create_date ON user (organization_uuid, create_date, uuid) WHERE deleted_date IS NULL;
-- Unused links by authority. They are invalidated when the authority gets more permissions.
CREATE INDEX user_invite_authority ON user (organization_uuid, authority_uuid)
  WHERE invite_hash IS NOT NULL;
CREATE INDEX user_erasing ON user (erasing, organization_uuid) WHERE erasing IS NOT NULL;
-- Indexes that find the rows of an organization that its other indexes leave out: exports, moves and erasures
-- must not read the rows of other organizations. Only the deletion of a row writes to them.
CREATE INDEX user_deleted ON user (organization_uuid) WHERE deleted_date IS NOT NULL;

-- Sessions of users on the operations pages.
CREATE TABLE session (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  user_uuid TEXT NOT NULL,
  -- SHA-256 (hex) of the token in the cookie. The token has 192 random bits, so it needs no slow hash.
  token_hash TEXT NOT NULL,
  -- Epoch of the user at sign-in.
  session_epoch INTEGER NOT NULL,
  -- User agent and address help users to recognize their sessions.
  user_agent TEXT NOT NULL,
  ip_address TEXT,
  last_seen_date INTEGER NOT NULL,
  expires_date INTEGER NOT NULL,
  create_date INTEGER NOT NULL
) STRICT;
-- The cookie contains no organization, so sessions are found by the hash alone.
CREATE UNIQUE INDEX session_token_hash ON session (token_hash);
CREATE INDEX session_user ON session (organization_uuid, user_uuid);
CREATE INDEX session_expires_date ON session (expires_date);

-- Failed sign-ins, stored under the nil UUID because the input may name no organization.
CREATE TABLE sign_in_attempt (
  organization_uuid TEXT NOT NULL,
  -- SHA-256 (hex) of an address, or of an address and an account.
  attempt_key TEXT NOT NULL,
  failed_count INTEGER NOT NULL,
  -- When the count starts again from zero.
  expires_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, attempt_key)
) STRICT;
CREATE INDEX sign_in_attempt_expires_date ON sign_in_attempt (expires_date);

-- OpenID provider of an organization, at most one. The client secret is encrypted.
CREATE TABLE identity_provider (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_secret TEXT NOT NULL,
  -- Whether users can also sign in with a password. This stays 1 until a user has signed in through the provider.
  password_sign_in INTEGER NOT NULL CHECK (password_sign_in IN (0, 1)),
  proven_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  CHECK (password_sign_in = 1 OR proven_date IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX identity_provider_organization ON identity_provider (organization_uuid);

-- Links a subject of a provider to a user. The first sign-in finds the user by the verified e-mail address, later ones
-- by this row.
CREATE TABLE identity (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  user_uuid TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  create_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX identity_subject ON identity (organization_uuid, issuer, subject);
CREATE UNIQUE INDEX identity_user ON identity (organization_uuid, user_uuid, issuer);

-- Passkeys (WebAuthn) of users. A passkey is valid only on the host on which it was created.
CREATE TABLE passkey (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  user_uuid TEXT NOT NULL,
  -- Credential id and COSE public key, both in base64url.
  credential_id TEXT NOT NULL,
  public_key TEXT NOT NULL,
  -- Signature counter, or 0 if the authenticator does not count.
  counter INTEGER NOT NULL,
  host TEXT NOT NULL,
  -- Name that the user has chosen.
  name TEXT NOT NULL,
  last_used_date INTEGER,
  create_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX passkey_credential ON passkey (organization_uuid, credential_id);
CREATE INDEX passkey_user ON passkey (organization_uuid, user_uuid);

-- Answered challenges, kept until they expire so that none is accepted twice.
CREATE TABLE used_challenge (
  organization_uuid TEXT NOT NULL,
  -- SHA-256 (hex).
  challenge_hash TEXT NOT NULL,
  expires_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, challenge_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX used_challenge_expires ON used_challenge (organization_uuid, expires_date);

-- Answers of commands by the Idempotency-Key of the caller. A repeat gets the stored answer.
CREATE TABLE idempotency (
  organization_uuid TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  command_id TEXT NOT NULL,
  body TEXT,
  refusal TEXT,
  create_date INTEGER NOT NULL,
  expires_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, key)
) STRICT;
-- Stored answers about users, for the erasure of a user. Other answers have no entry.
CREATE INDEX idempotency_person ON idempotency (organization_uuid, body ->> '$.uuid')
  WHERE instr(body, '"email":') > 0 AND json_valid(body);

-- Answers of commands without a key, kept for a day. They only serve retries inside the service, so exports leave them out,
-- and a move takes the latest ones. A row is found by the command id alone.
CREATE TABLE recent_answer (
  -- Ascends with the time of the command id. Made of that time, random bits of the command id, and the number of ids that
  -- are taken.
  id INTEGER PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  command_id TEXT NOT NULL,
  body TEXT NOT NULL,
  create_date INTEGER NOT NULL
) STRICT;
CREATE INDEX recent_answer_person ON recent_answer (organization_uuid, body ->> '$.uuid')
  WHERE instr(body, '"email":') > 0 AND json_valid(body);

-- Actors with their name and address at that time.
CREATE TABLE audit_actor (
  number INTEGER PRIMARY KEY NOT NULL,
  organization_number INTEGER NOT NULL,
  actor_type TEXT NOT NULL,
  actor_uuid TEXT,
  actor_display_name TEXT NOT NULL,
  ip_address TEXT,
  -- For a person, SHA-256 over salt, name and address. Records are hashed with it. Null for other actors.
  commitment ANY,
  -- Null after the person was erased.
  salt ANY,
  CHECK (salt IS NULL OR commitment IS NOT NULL)
) STRICT;
CREATE INDEX audit_actor_uuid
  ON audit_actor (organization_number, actor_uuid, ip_address, actor_display_name, actor_type);
CREATE INDEX audit_actor_type ON audit_actor (organization_number, actor_type);

-- One row for each command: its audit records and its entries in timelines. A command with much data has several rows.
CREATE TABLE log (
  -- The number of the organization in the upper 32 bits, and the sequence number of the first record in the lower ones.
  id INTEGER PRIMARY KEY NOT NULL,
  event_date INTEGER NOT NULL,
  actor_number INTEGER NOT NULL,
  -- A canonical UUID is stored as bytes, any other text as text.
  request_id ANY NOT NULL,
  -- The hash of each record. A hash has 32 bytes.
  hashes BLOB NOT NULL,
  -- Array of [action, entityType, entityUuid, entityExternalId, changes, person]. A change is [field, oldValue, newValue],
  -- or the object of the API. For a record about a person, its last value is the object {commitment, salt, fields}
  -- of the API.
  records TEXT NOT NULL CHECK (length(hashes) = 32 * json_array_length(records)),
  -- Array of [type, manifest, shipment, gateUuid, details, date, isOfService, pallets, place]. A pallet is the uuid of its
  -- track, or [wmsId] if it has no marker. A date is null if it equals the date of the row. The place is the number of
  -- entries of the row before this group.
  entries TEXT CHECK (json_valid(entries))
) STRICT;

-- Finds the rows about a thing by the last bytes of its uuid, and those about a pallet without a marker by JSON [wmsId]. A trigger of the log maintains it.
CREATE TABLE log_entity (
  organization_number INTEGER NOT NULL,
  entity_key ANY NOT NULL,
  log_id INTEGER NOT NULL,
  PRIMARY KEY (organization_number, entity_key, log_id)
) STRICT, WITHOUT ROWID;

-- Finds the things that had an external id, except allocations of marker codes. A trigger of the log maintains it.
CREATE TABLE log_name (
  organization_number INTEGER NOT NULL,
  name TEXT NOT NULL,
  entity_key ANY NOT NULL,
  PRIMARY KEY (organization_number, name, entity_key)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER log_index_insert AFTER INSERT ON log BEGIN
  INSERT INTO log_entity (organization_number, entity_key, log_id)
  SELECT NEW.id >> 32, coalesce(substr(unhex(r.value ->> 2, '-'), 13), r.value ->> 2), NEW.id FROM json_each(NEW.records) r
  UNION SELECT NEW.id >> 32, coalesce(substr(unhex(t.value, '-'), 13), t.value), NEW.id
  FROM json_each(NEW.entries) e CROSS JOIN json_each(e.value, '$[7]') t
  WHERE TRUE ON CONFLICT DO NOTHING;
  INSERT INTO log_name (organization_number, name, entity_key)
  SELECT NEW.id >> 32, r.value ->> 3, coalesce(substr(unhex(r.value ->> 2, '-'), 13), r.value ->> 2)
  FROM json_each(NEW.records) r WHERE r.value ->> 3 IS NOT NULL AND r.value ->> 1 <> 'MARKER_ALLOCATION'
    -- A pallet of this row has the name, so the row is already found by it. In a long row, the look would cost more than
    -- the entry.
    AND NOT (json_array_length(NEW.records) <= 10 AND r.value ->> 1 = 'ASSET_LOADING' AND EXISTS (SELECT 1 FROM log_name n
      WHERE n.organization_number = NEW.id >> 32 AND n.name = r.value ->> 3 AND n.entity_key IN (
        SELECT coalesce(substr(unhex(t.value, '-'), 13), t.value) FROM json_each(NEW.entries) e CROSS JOIN json_each(e.value, '$[7]') t)))
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER log_index_delete AFTER DELETE ON log BEGIN
  DELETE FROM log_entity WHERE organization_number = OLD.id >> 32 AND log_id = OLD.id AND entity_key IN (
    SELECT coalesce(substr(unhex(r.value ->> 2, '-'), 13), r.value ->> 2) FROM json_each(OLD.records) r
    UNION SELECT coalesce(substr(unhex(t.value, '-'), 13), t.value) FROM json_each(OLD.entries) e CROSS JOIN json_each(e.value, '$[7]') t);
  DELETE FROM log_name WHERE organization_number = OLD.id >> 32 AND (name, entity_key) IN (
    SELECT r.value ->> 3, coalesce(substr(unhex(r.value ->> 2, '-'), 13), r.value ->> 2) FROM json_each(OLD.records) r);
END;

-- A row of the log is inserted before the changes of its command. Records of cancelled manifests count, because EPCIS
-- reads them, and because the shipment of a cancelled manifest may be completed. The proof of a completed shipment shows the
-- corrections of its manifests.
CREATE TRIGGER log_correction AFTER INSERT ON log
WHEN (instr(NEW.records, '"ASSET_LOADING"') > 0 OR instr(NEW.records, '"SHIPMENT"') > 0)
  AND (SELECT residence FROM organization_number n CROSS JOIN organization ON organization.uuid = n.organization_uuid
    WHERE n.number = NEW.id >> 32) IS NOT 'ARRIVING' BEGIN
  INSERT INTO loading_correction (organization_uuid, load_uuid, sequence_number)
  SELECT a.organization_uuid, l.value, (NEW.id & 4294967295) + r.key
  FROM json_each(NEW.records) r CROSS JOIN asset_loading a ON a.uuid = r.value ->> 2
  CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
    AND m.manifest_status IN ('COMPLETED', 'CANCELLED')
  CROSS JOIN json_each(json_array(m.uuid, (SELECT s.uuid FROM shipment_manifest h CROSS JOIN shipment s
    ON s.uuid = h.shipment_uuid AND s.status = 'COMPLETED'
    WHERE h.organization_uuid = a.organization_uuid AND h.manifest_uuid = m.uuid))) l
  WHERE r.value ->> 1 = 'ASSET_LOADING' AND l.value IS NOT NULL
  UNION ALL SELECT s.organization_uuid, s.uuid, (NEW.id & 4294967295) + r.key
  FROM json_each(NEW.records) r CROSS JOIN shipment s ON s.uuid = r.value ->> 2
  WHERE r.value ->> 1 = 'SHIPMENT' AND s.status = 'COMPLETED'
    AND EXISTS (SELECT 1 FROM json_each(r.value, '$[4]') c CROSS JOIN json_each(s.proof_names, '$.fields') f
      WHERE coalesce(c.value ->> 0, c.value ->> 'field') = 'customFields.' || f.value);
END;

-- The records of the log, one in each row.
CREATE VIEW audit_log AS SELECT o.organization_uuid, (l.id & 4294967295) + r.key AS sequence_number,
  substr(format('%012x', l.event_date), 1, 8) || '-' || substr(format('%012x', l.event_date), 9)
      || '-7' || substr(lower(hex(substr(l.hashes, r.key * 32 + 1, 32))), 1, 3)
      || '-' || substr('89ab89ab89ab89ab', instr('0123456789abcdef', substr(lower(hex(substr(l.hashes, r.key * 32 + 1, 32))), 4, 1)), 1)
      || substr(lower(hex(substr(l.hashes, r.key * 32 + 1, 32))), 5, 3) || '-' || substr(lower(hex(substr(l.hashes, r.key * 32 + 1, 32))), 8, 12) AS uuid,
  l.event_date, r.value ->> 0 AS action, a.actor_type, a.actor_uuid, a.actor_display_name, r.value ->> 1 AS entity_type,
  r.value ->> 2 AS entity_uuid, r.value ->> 3 AS entity_external_id,
  iif(substr(r.value -> 4, 1, 2) <> '[[', r.value -> 4, (SELECT json_group_array(json_object('field', c.value ->> 0,
    'oldValue', json(c.value -> 1), 'newValue', json(c.value -> 2))) FROM json_each(r.value, '$[4]') c)) AS changes,
  iif(typeof(l.request_id) <> 'blob', l.request_id, lower(substr(hex(l.request_id), 1, 8) || '-' || substr(hex(l.request_id), 9, 4) || '-'
    || substr(hex(l.request_id), 13, 4) || '-' || substr(hex(l.request_id), 17, 4) || '-' || substr(hex(l.request_id), 21))) AS request_id,
  a.ip_address,
  lower(hex(iif(r.key > 0, substr(l.hashes, r.key * 32 - 31, 32), coalesce((SELECT substr(b.hashes, -32) FROM log b
    WHERE b.id >= o.number << 32 AND b.id < l.id ORDER BY b.id DESC LIMIT 1), zeroblob(32))))) AS previous_hash,
  lower(hex(substr(l.hashes, r.key * 32 + 1, 32))) AS hash,
  -- Unexpanded changes, for callers that expand them outside the database at a lower cost.
  r.value -> 4 AS short_changes,
  nullif(lower(hex(a.commitment)), '') AS actor_commitment, nullif(lower(hex(a.salt)), '') AS actor_salt,
  r.value ->> 5 AS person,
  -- Keys for look-ups, not part of the API.
  l.id AS log_id, l.actor_number, l.request_id AS request_key
FROM organization_number o CROSS JOIN log l ON l.id BETWEEN o.number << 32 AND o.number << 32 | 4294967295
LEFT JOIN audit_actor a ON a.number = l.actor_number
CROSS JOIN json_each(l.records) r;

-- The rows of the log with their actors, as moves, exports and imports read and write them.
CREATE VIEW command_log AS SELECT o.organization_uuid, l.id & 4294967295 AS sequence_number,
  l.event_date, a.actor_type, a.actor_uuid, a.actor_display_name, a.ip_address,
  nullif(lower(hex(a.commitment)), '') AS actor_commitment, nullif(lower(hex(a.salt)), '') AS actor_salt,
  iif(typeof(l.request_id) <> 'blob', l.request_id, lower(substr(hex(l.request_id), 1, 8) || '-' || substr(hex(l.request_id), 9, 4) || '-'
    || substr(hex(l.request_id), 13, 4) || '-' || substr(hex(l.request_id), 17, 4) || '-' || substr(hex(l.request_id), 21))) AS request_id,
  lower(hex(l.hashes)) AS hashes, l.records, l.entries,
  l.id AS log_id, (l.id & 4294967295) + length(l.hashes) / 32 - 1 AS last_number, o.number AS organization_number
FROM organization_number o CROSS JOIN log l ON l.id BETWEEN o.number << 32 AND o.number << 32 | 4294967295
LEFT JOIN audit_actor a ON a.number = l.actor_number;

CREATE TRIGGER command_log_insert INSTEAD OF INSERT ON command_log BEGIN
  INSERT INTO organization_number (organization_uuid) VALUES (NEW.organization_uuid) ON CONFLICT DO NOTHING;
  INSERT INTO audit_actor (organization_number, actor_type, actor_uuid, actor_display_name, ip_address, commitment, salt)
    SELECT o.number, NEW.actor_type, NEW.actor_uuid, NEW.actor_display_name, NEW.ip_address,
      unhex(NEW.actor_commitment), unhex(NEW.actor_salt)
    FROM organization_number o WHERE o.organization_uuid = NEW.organization_uuid
      AND NOT EXISTS (SELECT 1 FROM audit_actor a WHERE a.organization_number = o.number
        AND a.actor_uuid IS NEW.actor_uuid AND a.ip_address IS NEW.ip_address
        AND a.actor_display_name = NEW.actor_display_name AND a.actor_type = NEW.actor_type
        AND a.commitment IS unhex(NEW.actor_commitment) AND a.salt IS unhex(NEW.actor_salt));
  INSERT INTO log (id, event_date, actor_number, request_id, hashes, records, entries)
  SELECT o.number << 32 | NEW.sequence_number, NEW.event_date,
    (SELECT a.number FROM audit_actor a WHERE a.organization_number = o.number
      AND a.actor_uuid IS NEW.actor_uuid AND a.ip_address IS NEW.ip_address
      AND a.actor_display_name = NEW.actor_display_name AND a.actor_type = NEW.actor_type
      AND a.commitment IS unhex(NEW.actor_commitment) AND a.salt IS unhex(NEW.actor_salt)),
    iif(NEW.request_id = lower(NEW.request_id) AND NEW.request_id LIKE '________-____-____-____-____________'
      AND length(unhex(NEW.request_id, '-')) = 16, unhex(NEW.request_id, '-'), NEW.request_id),
    unhex(NEW.hashes), NEW.records, NEW.entries
  FROM organization_number o WHERE o.organization_uuid = NEW.organization_uuid ON CONFLICT DO NOTHING;
END;

-- Deletes the actors of an organization with its last row, and its number if it has no events either.
CREATE TRIGGER command_log_delete INSTEAD OF DELETE ON command_log BEGIN
  DELETE FROM log WHERE id = OLD.log_id;
  DELETE FROM audit_actor WHERE organization_number = OLD.organization_number AND NOT EXISTS (SELECT 1 FROM log
    WHERE id BETWEEN OLD.organization_number << 32 AND OLD.organization_number << 32 | 4294967295);
  DELETE FROM organization_number WHERE number = OLD.organization_number AND NOT EXISTS (SELECT 1 FROM log
    WHERE id BETWEEN OLD.organization_number << 32 AND OLD.organization_number << 32 | 4294967295)
    AND NOT EXISTS (SELECT 1 FROM event
    WHERE id BETWEEN OLD.organization_number << 32 AND OLD.organization_number << 32 | 4294967295);
END;

-- Sequence numbers of audit records that changed loading records after their manifest was closed. Proofs of shipment
-- are numbered by them. A trigger inserts them, so no command can forget to. The audit record is inserted before the
-- loading record changes.
CREATE TABLE loading_correction (
  organization_uuid TEXT NOT NULL,
  load_uuid TEXT NOT NULL,
  sequence_number INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, load_uuid, sequence_number)
) STRICT, WITHOUT ROWID;

-- Gaps in the sequence numbers after the store was restored to an earlier state. The audit action is STORE_REWOUND.
CREATE TABLE store_rewind (
  organization_uuid TEXT NOT NULL,
  -- Audit record that declares the gap, the first one after it.
  sequence_number INTEGER NOT NULL,
  -- Length of the gap.
  skipped_count INTEGER NOT NULL,
  -- Last allocated marker code, or null before the first one.
  last_marker_code INTEGER,
  PRIMARY KEY (organization_uuid, sequence_number)
) WITHOUT ROWID;

-- Published events, numbered without gaps within each organization. The last event of an organization is never pruned,
-- because the next number follows from it.
CREATE TABLE event (
  -- The number of the organization in the upper 32 bits, and the sequence number in the lower ones.
  id INTEGER PRIMARY KEY NOT NULL CHECK (id > 4294967295),
  uuid TEXT NOT NULL,
  event_type TEXT NOT NULL,
  event_date INTEGER NOT NULL,
  -- Background operation that caused the event.
  operation_uuid TEXT,
  entity_type TEXT NOT NULL,
  entity_uuid TEXT,
  entity_external_id TEXT,
  -- Resource as of the commit.
  data TEXT CHECK (data IS NULL OR json_valid(data)),
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  -- Trace context of the request that caused the event. Deliveries continue the trace.
  traceparent TEXT
) STRICT;

-- The events with their organization, as moves, exports and imports read and write them.
CREATE VIEW event_log AS SELECT o.organization_uuid, e.id & 4294967295 AS sequence_number, e.uuid, e.event_type,
  e.event_date, e.operation_uuid, e.entity_type, e.entity_uuid, e.entity_external_id, e.data, e.error, e.traceparent,
  e.id AS event_id, o.number AS organization_number
FROM organization_number o CROSS JOIN event e ON e.id BETWEEN o.number << 32 AND o.number << 32 | 4294967295;

CREATE TRIGGER event_log_insert INSTEAD OF INSERT ON event_log BEGIN
  INSERT INTO organization_number (organization_uuid) VALUES (NEW.organization_uuid) ON CONFLICT DO NOTHING;
  INSERT INTO event (id, uuid, event_type, event_date, operation_uuid, entity_type, entity_uuid, entity_external_id,
    data, error, traceparent)
  SELECT o.number << 32 | NEW.sequence_number, NEW.uuid, NEW.event_type, NEW.event_date, NEW.operation_uuid,
    NEW.entity_type, NEW.entity_uuid, NEW.entity_external_id, NEW.data, NEW.error, NEW.traceparent
  FROM organization_number o WHERE o.organization_uuid = NEW.organization_uuid ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER event_log_delete INSTEAD OF DELETE ON event_log BEGIN
  DELETE FROM event WHERE id = OLD.event_id;
  DELETE FROM organization_number WHERE number = OLD.organization_number AND NOT EXISTS (SELECT 1 FROM log
    WHERE id BETWEEN OLD.organization_number << 32 AND OLD.organization_number << 32 | 4294967295)
    AND NOT EXISTS (SELECT 1 FROM event
    WHERE id BETWEEN OLD.organization_number << 32 AND OLD.organization_number << 32 | 4294967295);
END;

-- Receivers of events. Secrets and header values are encrypted.
CREATE TABLE webhook (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- An empty array means all types.
  event_types TEXT NOT NULL CHECK (json_valid(event_types)),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  -- Reason and time if the service disabled the webhook.
  disabled_reason TEXT CHECK (disabled_reason IN ('GONE', 'FAILING', 'STOPPED')),
  disabled_date INTEGER,
  -- Array of {name, value} with encrypted values.
  custom_headers TEXT NOT NULL CHECK (json_valid(custom_headers)),
  -- Array of {sealed, validUntilDate}, the current secret first.
  secrets TEXT NOT NULL CHECK (json_valid(secrets)),
  -- Origin of the links in payloads.
  link_origin TEXT NOT NULL,
  -- Sequence number of the last event for which deliveries were created.
  position INTEGER NOT NULL,
  -- First failure since the last success.
  failing_since INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  -- The deliveries are events of this API or EPCIS documents for programs, or messages for people.
  format TEXT NOT NULL CHECK (format IN ('EVENT', 'EPCIS_2_0', 'SLACK', 'TEAMS', 'EMAIL')),
  folded_name TEXT,
  -- JSON array of the alert types of ALERT_RAISED that a webhook receives. Null means all types.
  alert_types TEXT CHECK (json_valid(alert_types)),
  -- The address of an e-mail webhook in lower case, without its +tag. It names a row of mail_recipient. Null for other formats.
  mailbox TEXT,
  -- 1 if the webhook becomes active when its recipient confirms the address. Until then it is not active.
  awaits_confirmation INTEGER NOT NULL DEFAULT 0 CHECK (awaits_confirmation IN (0, 1)),
  -- Messages with the first attempts of deliveries, by uuid: {claim, dueDate, openedDate, createDate, deliveries}, with
  -- {sequenceNumber, eventUuid, eventType} for each delivery. A message that is also in webhook_message is settled. The next
  -- run of the job removes it here.
  open_messages TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(open_messages)),
  -- The number of deliveries in open and settled messages.
  messages_count INTEGER NOT NULL DEFAULT 0,
  CHECK (active = 0 OR disabled_reason IS NULL),
  CHECK ((disabled_reason IS NULL) = (disabled_date IS NULL))
) STRICT;
CREATE INDEX webhook_create_date ON webhook (organization_uuid, create_date, uuid);

-- Messages whose deliveries all succeeded at the first attempt. Each delivery has the uuid of its message, with its place as
-- the last digit.
CREATE TABLE webhook_message (
  organization_uuid TEXT NOT NULL,
  webhook_uuid TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  uuid TEXT NOT NULL,
  -- Array of {sequenceNumber, eventUuid, eventType, attempt}. The attempt is null if there was nothing to send.
  deliveries TEXT NOT NULL CHECK (json_valid(deliveries)),
  update_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, webhook_uuid, create_date, uuid)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER webhook_message_deleted AFTER DELETE ON webhook_message BEGIN
  UPDATE webhook SET messages_count = messages_count - json_array_length(OLD.deliveries) WHERE uuid = OLD.webhook_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING';
END;

-- Deliveries of events to webhooks, except first attempts that are in a message. Old ones are pruned by their uuid, which starts with a timestamp.
CREATE TABLE webhook_delivery (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  webhook_uuid TEXT NOT NULL,
  -- Null for a test delivery.
  sequence_number INTEGER,
  event_uuid TEXT NOT NULL,
  event_type TEXT NOT NULL,
  -- WAITING until due_date. QUEUED while a queue message is on its way. CLAIMED by a consumer, at most until due_date.
  state TEXT NOT NULL CHECK (state IN ('WAITING', 'QUEUED', 'CLAIMED', 'SUCCEEDED', 'FAILED')),
  claim TEXT,
  -- Time of the next attempt or check, or null for a finished delivery.
  due_date INTEGER,
  -- Queue messages sent since the last claim.
  queued_count INTEGER NOT NULL,
  -- Failures and start of the current retry schedule.
  failures_count INTEGER NOT NULL,
  first_attempt_date INTEGER,
  -- Array of {attemptDate, statusCode, durationMs, response, error}, the latest last.
  attempts TEXT NOT NULL CHECK (json_valid(attempts)),
  attempts_count INTEGER NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  -- The delivery with the message that lists this one. The first delivery of such a message has its own uuid.
  digest_uuid TEXT,
  CHECK ((state = 'CLAIMED') = (claim IS NOT NULL)),
  CHECK ((state IN ('SUCCEEDED', 'FAILED')) = (due_date IS NULL))
) STRICT;
CREATE UNIQUE INDEX webhook_delivery_event
  ON webhook_delivery (organization_uuid, webhook_uuid, sequence_number);
CREATE INDEX webhook_delivery_failed
  ON webhook_delivery (organization_uuid, webhook_uuid, first_attempt_date)
  WHERE state = 'FAILED';
CREATE INDEX webhook_delivery_create_date
  ON webhook_delivery (organization_uuid, webhook_uuid, create_date, uuid);
CREATE INDEX webhook_delivery_pending ON webhook_delivery (webhook_uuid, state, due_date) WHERE due_date IS NOT NULL;
CREATE INDEX webhook_delivery_digest ON webhook_delivery (digest_uuid) WHERE digest_uuid IS NOT NULL;

CREATE TRIGGER webhook_delivery_total_insert AFTER INSERT ON webhook_delivery BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'webhook_delivery:' || NEW.webhook_uuid, json_object('', 1)
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$.""', coalesce(parts ->> ('$.""'), 0) + 1);
END;

CREATE TRIGGER webhook_delivery_total_delete AFTER DELETE ON webhook_delivery BEGIN
  UPDATE list_part SET parts = json_set(parts, '$.""', coalesce(parts ->> ('$.""'), 0) - 1)
    WHERE organization_uuid = OLD.organization_uuid AND list = 'webhook_delivery:' || OLD.webhook_uuid;
END;

-- Background operations. The row is committed with the response 202. An operation without finish_date is unfinished.
CREATE TABLE operation (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  operation_type TEXT NOT NULL
    CHECK (operation_type IN ('COUPLE', 'GET_AND_COUPLE', 'SHIPMENT_BULK_UPSERT', 'SIMULATION')),
  status TEXT NOT NULL
    CHECK (status IN ('PENDING', 'RUNNING', 'SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED')),
  -- Parameters other than the items.
  input TEXT NOT NULL CHECK (json_valid(input)),
  total_count INTEGER NOT NULL,
  succeeded_count INTEGER NOT NULL,
  failed_count INTEGER NOT NULL,
  -- Actor and request that the audit log names for each item.
  actor TEXT NOT NULL CHECK (json_valid(actor)),
  request_id TEXT NOT NULL,
  -- When it is sent to the queue next, or null after it has finished.
  due_date INTEGER,
  -- Messages sent since the last progress.
  sent_count INTEGER NOT NULL,
  create_date INTEGER NOT NULL,
  finish_date INTEGER,
  -- Time of the last progress.
  update_date INTEGER NOT NULL,
  CHECK ((finish_date IS NULL) = (status IN ('PENDING', 'RUNNING'))),
  CHECK ((finish_date IS NULL) = (due_date IS NOT NULL)),
  CHECK (finish_date IS NULL OR succeeded_count + failed_count = total_count)
) STRICT;
CREATE INDEX operation_due ON operation (organization_uuid, due_date);
CREATE INDEX operation_finish_date ON operation (finish_date);
CREATE INDEX operation_create_date ON operation (organization_uuid, create_date, uuid);
-- The cron job looks for overdue operations of all organizations.
CREATE INDEX operation_overdue ON operation (due_date, organization_uuid) WHERE due_date IS NOT NULL;
CREATE INDEX operation_status ON operation (organization_uuid, status, create_date, uuid);

CREATE TRIGGER operation_total_insert AFTER INSERT ON operation BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'operation', json_object(NEW.status, 1)
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + 1);
END;

CREATE TRIGGER operation_total_update AFTER UPDATE OF status ON operation
WHEN OLD.status IS NOT NEW.status BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'operation', json_object(NEW.status, 1)
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || OLD.status || '"', coalesce(parts ->> ('$."' || OLD.status || '"'), 0) - 1,
      '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + 1);
END;

CREATE TRIGGER operation_total_delete AFTER DELETE ON operation BEGIN
  UPDATE list_part SET parts = json_set(parts, '$."' || OLD.status || '"', coalesce(parts ->> ('$."' || OLD.status || '"'), 0) - 1)
    WHERE organization_uuid = OLD.organization_uuid AND list = 'operation';
END;

-- Consecutive items of an operation with their results. A row for each item would keep the database busy for too long.
CREATE TABLE operation_part (
  organization_uuid TEXT NOT NULL,
  operation_uuid TEXT NOT NULL,
  -- Index of the first item in the request, from 0.
  first_index INTEGER NOT NULL,
  -- A list of {identifier, input} until an item is done, and then {identifier, error}.
  items TEXT NOT NULL CHECK (json_valid(items)),
  create_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, operation_uuid, first_index)
) STRICT;

-- Dead letters: messages that a queue gave up. The operator can see them and send them again.
CREATE TABLE dead_letter (
  uuid TEXT PRIMARY KEY NOT NULL,
  -- The nil UUID if the message names no organization.
  organization_uuid TEXT NOT NULL,
  -- Purpose of the queue as in its name, for example operation.
  queue TEXT NOT NULL,
  -- Id that the queue gave the message. A second delivery of the same message creates no second row.
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

-- Gates.
CREATE TABLE gate (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  name TEXT NOT NULL,
  local_manager_uuid TEXT,
  folded_identifier TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  -- Status in the last event about the gate.
  told_status TEXT NOT NULL DEFAULT 'AVAILABLE',
  -- GLN, which identifies the gate in EPCIS events.
  gln TEXT
) STRICT;
CREATE UNIQUE INDEX gate_external_identifier ON gate (organization_uuid, external_identifier)
  WHERE deleted_date IS NULL;
CREATE INDEX gate_create_date ON gate (organization_uuid, create_date, uuid);
-- Used only by look-ups by local manager.
CREATE INDEX gate_local_manager ON gate (organization_uuid, local_manager_uuid)
  WHERE local_manager_uuid IS NOT NULL AND deleted_date IS NULL;

-- Tablets at gates. A link that works once pairs a tablet, which then works until it is revoked.
CREATE TABLE gate_tablet (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  gate_uuid TEXT NOT NULL,
  name TEXT NOT NULL,
  -- SHA-256 (hex) of the token in the link. The token has 144 random bits, so it needs no slow hash. The hash is kept
  -- to recognize a link that is opened again.
  link_hash TEXT NOT NULL,
  link_expires_date INTEGER NOT NULL,
  -- User who created the link.
  paired_by_uuid TEXT NOT NULL,
  -- SHA-256 (hex) of the token in the cookie, or null until the link is used.
  token_hash TEXT,
  paired_date INTEGER,
  last_seen_date INTEGER,
  revoked_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX gate_tablet_link_hash ON gate_tablet (link_hash);
CREATE UNIQUE INDEX gate_tablet_token_hash ON gate_tablet (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX gate_tablet_gate ON gate_tablet (organization_uuid, gate_uuid, create_date);
CREATE INDEX gate_tablet_revoked ON gate_tablet (revoked_date) WHERE revoked_date IS NOT NULL;

-- People who work at tablets, for organizations that identify them.
CREATE TABLE gate_worker (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  -- HMAC-SHA-256 (hex) of the badge or PIN. The key belongs to the deployment, so a copy of the database does not
  -- reveal the codes.
  code_hash TEXT NOT NULL,
  -- Key of a badge, hidden by a key of the deployment. Tablets recognize badges by it without a connection. Null for a PIN.
  offline_key TEXT,
  -- Whether the code is a PIN, a badge, or fits both.
  code_kind TEXT NOT NULL CHECK (code_kind IN ('PIN', 'BADGE', 'BOTH')),
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX gate_worker_name ON gate_worker (organization_uuid, folded_name);
CREATE UNIQUE INDEX gate_worker_code_hash ON gate_worker (organization_uuid, code_hash);

-- Turns of workers at tablets. Actions that were queued on a tablet belong to the worker of the turn.
CREATE TABLE gate_turn (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  tablet_uuid TEXT NOT NULL,
  worker_uuid TEXT NOT NULL,
  -- Name of the worker at that time.
  worker_name TEXT NOT NULL,
  last_used_date INTEGER NOT NULL,
  end_date INTEGER,
  create_date INTEGER NOT NULL
) STRICT;
-- A tablet has at most one open turn.
CREATE UNIQUE INDEX gate_turn_open ON gate_turn (organization_uuid, tablet_uuid) WHERE end_date IS NULL;
CREATE INDEX gate_turn_create_date ON gate_turn (create_date);
CREATE INDEX gate_turn_ended ON gate_turn (organization_uuid) WHERE end_date IS NOT NULL;

-- Scanners, local managers and agents: their configuration and their last heartbeat.
CREATE TABLE device (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  device_type TEXT NOT NULL CHECK (device_type IN ('SCANNER', 'LOCAL_MANAGER', 'AGENT')),
  name TEXT NOT NULL,
  -- Scanners only.
  serial_number TEXT,
  scanner_type TEXT CHECK (scanner_type IN ('HANDHELD', 'FIXED', 'PRINT_STATION')),
  gate_uuid TEXT,
  -- Local managers only.
  hostname TEXT,
  -- Agents only.
  agent_type TEXT CHECK (agent_type IN ('PRINTER', 'WMS_CONNECTOR', 'CAMERA')),
  -- Scanners and agents.
  local_manager_uuid TEXT,
  software_version TEXT,
  -- Status in the last heartbeat, or null before the first one.
  reported_status TEXT,
  last_error TEXT,
  -- In no index, so that a heartbeat without news writes only this row.
  last_heartbeat_date INTEGER,
  folded_name TEXT NOT NULL,
  folded_serial_number TEXT,
  folded_hostname TEXT,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  CHECK (device_type = 'SCANNER' OR coalesce(serial_number, scanner_type, gate_uuid) IS NULL),
  CHECK (device_type = 'LOCAL_MANAGER' OR hostname IS NULL),
  CHECK (device_type = 'AGENT' OR coalesce(agent_type, last_error) IS NULL),
  CHECK (device_type <> 'LOCAL_MANAGER' OR local_manager_uuid IS NULL),
  CHECK (reported_status IN ('ONLINE', 'OFFLINE')
    OR (device_type = 'LOCAL_MANAGER' AND reported_status = 'DEGRADED')
    OR (device_type = 'AGENT' AND reported_status = 'ERROR')),
  CHECK ((reported_status IS NULL) = (last_heartbeat_date IS NULL))
) STRICT;
CREATE INDEX device_create_date ON device (organization_uuid, device_type, create_date, uuid);
-- Devices whose silence raises an alert. The index leaves out last_heartbeat_date, because it would be written with
-- every heartbeat.
CREATE INDEX device_reporting ON device (organization_uuid)
  WHERE deleted_date IS NULL AND reported_status <> 'OFFLINE';

-- Calibration files of cameras. The bytes are objects in the bucket.
CREATE TABLE calibration (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  hardware_id TEXT NOT NULL,
  calibration_type TEXT NOT NULL
    CHECK (calibration_type IN ('INTRINSIC', 'EXTRINSIC', 'DISTORTION', 'HAND_EYE', 'COLOR')),
  object_key TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX calibration_name ON calibration (organization_uuid, hardware_id, calibration_type);

-- Objects in the bucket without a calibration file, not yet or no longer. Each object always has a row here or a file.
CREATE TABLE calibration_orphan (
  organization_uuid TEXT NOT NULL,
  object_key TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  -- When the deletion of the object started. From then on no file can refer to it.
  claimed_date INTEGER,
  PRIMARY KEY (organization_uuid, object_key)
) STRICT;
CREATE INDEX calibration_orphan_create_date ON calibration_orphan (create_date);

-- Ranges of marker codes that were handed out.
CREATE TABLE marker_allocation (
  organization_uuid TEXT NOT NULL,
  first_marker_code INTEGER NOT NULL,
  last_marker_code INTEGER NOT NULL,
  -- Of the allocation in the audit log. It finds the record by the first code, so log_name has no entry for it.
  uuid TEXT NOT NULL,
  allocated_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, first_marker_code),
  CHECK (first_marker_code BETWEEN 1 AND last_marker_code AND last_marker_code <= 9007199254740991)
) STRICT, WITHOUT ROWID;

-- Printing batches: ranges of marker codes that a print station prints as labels.
CREATE TABLE printing_batch (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  scanner_uuid TEXT NOT NULL,
  -- Identifier of the caller, unique among batches of the organization that are not deleted.
  external_identifier TEXT,
  folded_identifier TEXT,
  status TEXT NOT NULL CHECK (status IN ('CREATED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED')),
  label_format TEXT NOT NULL CHECK (label_format IN ('PNG', 'PDF', 'ZPL')),
  -- Inclusive range, an allocation in marker_allocation.
  first_marker_code INTEGER NOT NULL,
  last_marker_code INTEGER NOT NULL,
  complete_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  CHECK (first_marker_code BETWEEN 1 AND last_marker_code AND last_marker_code <= 9007199254740991),
  CHECK ((status = 'COMPLETED') = (complete_date IS NOT NULL)),
  CHECK ((external_identifier IS NULL) = (folded_identifier IS NULL))
) STRICT;
-- A range belongs to one batch, even after the batch is deleted.
CREATE UNIQUE INDEX printing_batch_first_marker_code
  ON printing_batch (organization_uuid, first_marker_code);
CREATE UNIQUE INDEX printing_batch_external_identifier
  ON printing_batch (organization_uuid, external_identifier)
  WHERE deleted_date IS NULL AND external_identifier IS NOT NULL;
CREATE INDEX printing_batch_create_date
  ON printing_batch (organization_uuid, scanner_uuid, create_date, uuid);
CREATE INDEX printing_batch_status
  ON printing_batch (organization_uuid, scanner_uuid, status, create_date, uuid)
  WHERE deleted_date IS NULL;

CREATE TRIGGER printing_batch_total_insert AFTER INSERT ON printing_batch BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'printing_batch:' || NEW.scanner_uuid, json_object(NEW.status, 1)
    WHERE NEW.deleted_date IS NULL ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + 1);
END;

CREATE TRIGGER printing_batch_total_update AFTER UPDATE OF status, deleted_date ON printing_batch
WHEN OLD.status IS NOT NEW.status
  OR (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL) BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'printing_batch:' || NEW.scanner_uuid, json_object(NEW.status, (NEW.deleted_date IS NULL))
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || OLD.status || '"', coalesce(parts ->> ('$."' || OLD.status || '"'), 0) - (OLD.deleted_date IS NULL),
      '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + (NEW.deleted_date IS NULL) - (OLD.deleted_date IS NULL) * (OLD.status = NEW.status));
END;

-- Customers whose pallets are dispatched. Names are unique by their folded form among clients that are not deleted.
CREATE TABLE client (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  display_name TEXT NOT NULL,
  external_id TEXT NOT NULL,
  folded_display_name TEXT NOT NULL,
  folded_external_id TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER
) STRICT;
CREATE UNIQUE INDEX client_display_name ON client (organization_uuid, folded_display_name)
  WHERE deleted_date IS NULL;
CREATE UNIQUE INDEX client_external_id ON client (organization_uuid, folded_external_id)
  WHERE deleted_date IS NULL;
CREATE INDEX client_create_date ON client (organization_uuid, create_date, uuid)
  WHERE deleted_date IS NULL;
CREATE INDEX client_shown_name ON client (organization_uuid, display_name, uuid)
  WHERE deleted_date IS NULL;
CREATE INDEX client_deleted ON client (organization_uuid) WHERE deleted_date IS NOT NULL;

CREATE TRIGGER client_total_insert AFTER INSERT ON client BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'client', json_object('', 1)
    WHERE NEW.deleted_date IS NULL ON CONFLICT DO UPDATE SET parts = json_set(parts, '$.""', coalesce(parts ->> ('$.""'), 0) + 1);
END;

CREATE TRIGGER client_total_update AFTER UPDATE OF deleted_date ON client
WHEN (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL) BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'client', json_object('', (NEW.deleted_date IS NULL))
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$.""', coalesce(parts ->> ('$.""'), 0) + (NEW.deleted_date IS NULL) - (OLD.deleted_date IS NULL));
END;

-- Tracks: a pallet from the moment it is coupled to a marker until it is retired.
CREATE TABLE track (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  wms_id TEXT NOT NULL,
  marker_code INTEGER NOT NULL,
  retirement TEXT NOT NULL CHECK (retirement IN ('NONE', 'SCHEDULED', 'RETIRED')),
  flagged INTEGER NOT NULL CHECK (flagged IN (0, 1)),
  damaged INTEGER NOT NULL CHECK (damaged IN (0, 1)),
  couple_date INTEGER NOT NULL,
  retire_date INTEGER,
  last_seen_date INTEGER,
  last_gate_uuid TEXT,
  folded_wms_id TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  -- The status of the API.
  status TEXT NOT NULL GENERATED ALWAYS AS (CASE retirement WHEN 'SCHEDULED' THEN 'SCHEDULED_FOR_RETIREMENT'
    WHEN 'RETIRED' THEN 'NOT_ACTIVE' ELSE iif(flagged = 1, 'FLAGGED', 'ACTIVE') END) VIRTUAL,
  -- Client that owns the pallet. The index leaves out the many tracks without a client.
  client_uuid TEXT,
  -- JSON object: for each camera that changed the loading status of the pallet, the latest scanDate of such a scan.
  camera_dates TEXT CHECK (json_valid(camera_dates))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX track_marker_code ON track (organization_uuid, marker_code)
  WHERE deleted_date IS NULL;
CREATE INDEX track_wms_id ON track (organization_uuid, wms_id, create_date) WHERE deleted_date IS NULL;
CREATE INDEX track_scheduled ON track (organization_uuid, wms_id) WHERE retirement = 'SCHEDULED';
CREATE INDEX track_client ON track (organization_uuid, client_uuid, deleted_date)
  WHERE client_uuid IS NOT NULL;
CREATE INDEX track_status ON track (organization_uuid, status, create_date, uuid)
  WHERE deleted_date IS NULL;
-- Deleted tracks by pallet, for their events.
CREATE INDEX track_deleted_wms_id ON track (organization_uuid, wms_id) WHERE deleted_date IS NOT NULL;
-- Finds the only pallet with an id that differs in case. An id without letters, or with letters of one case, has no entry:
-- the index by WMS id finds it as its folded text, or as that text in capitals.
CREATE INDEX track_folded_wms_id ON track (organization_uuid, folded_wms_id)
  WHERE folded_wms_id <> wms_id AND (wms_id <> upper(wms_id) OR wms_id GLOB '*[^ -~]*') AND deleted_date IS NULL;

CREATE TRIGGER track_total_insert AFTER INSERT ON track BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'track', json_object(NEW.status, 1)
    WHERE NEW.deleted_date IS NULL ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + 1);
END;

CREATE TRIGGER track_total_update AFTER UPDATE OF retirement, flagged, deleted_date ON track
WHEN OLD.status IS NOT NEW.status
  OR (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL) BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'track', json_object(NEW.status, (NEW.deleted_date IS NULL))
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || OLD.status || '"', coalesce(parts ->> ('$."' || OLD.status || '"'), 0) - (OLD.deleted_date IS NULL),
      '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + (NEW.deleted_date IS NULL) - (OLD.deleted_date IS NULL) * (OLD.status = NEW.status));
END;

CREATE TRIGGER track_total_delete AFTER DELETE ON track BEGIN
  UPDATE list_part SET parts = json_set(parts, '$."' || OLD.status || '"', coalesce(parts ->> ('$."' || OLD.status || '"'), 0) - 1)
    WHERE organization_uuid = OLD.organization_uuid AND list = 'track' AND OLD.deleted_date IS NULL;
END;

-- The same for pallets. The index by WMS id finds the other pallet.
CREATE TRIGGER track_unique_insert BEFORE INSERT ON track
WHEN NEW.deleted_date IS NULL AND NEW.retirement <> 'RETIRED' BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: track.organization_uuid, track.wms_id')
  FROM track WHERE organization_uuid = NEW.organization_uuid AND wms_id = NEW.wms_id AND deleted_date IS NULL
    AND retirement <> 'RETIRED' AND uuid <> NEW.uuid;
END;

CREATE TRIGGER track_unique_update BEFORE UPDATE OF wms_id, retirement, deleted_date ON track
WHEN NEW.deleted_date IS NULL AND NEW.retirement <> 'RETIRED'
  AND (OLD.deleted_date IS NOT NULL OR OLD.retirement = 'RETIRED' OR OLD.wms_id <> NEW.wms_id) BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: track.organization_uuid, track.wms_id')
  FROM track WHERE organization_uuid = NEW.organization_uuid AND wms_id = NEW.wms_id AND deleted_date IS NULL
    AND retirement <> 'RETIRED' AND uuid <> NEW.uuid;
END;

-- Comments on tracks.
CREATE TABLE track_comment (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  track_uuid TEXT NOT NULL,
  additional_info TEXT NOT NULL,
  attachments TEXT NOT NULL CHECK (json_valid(attachments)),
  author TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  -- Set if a user wrote the comment. The author is empty then.
  author_uuid TEXT
) STRICT;
CREATE INDEX track_comment_track ON track_comment (organization_uuid, track_uuid, create_date, uuid);

-- The entries of the log in timelines of pallets, one in each row. The pallet is the uuid of its track, or JSON [wmsId] if
-- it had no marker. A user has the current name, and the author is null for the service.
CREATE VIEW pallet_activity AS SELECT
  substr(format('%012x', l.event_date), 1, 8) || '-' || substr(format('%012x', l.event_date), 9)
    || '-7' || substr(lower(hex(l.hashes)), 41, 3) || '-8' || substr(lower(hex(l.hashes)), 44, 3)
    || '-' || substr(lower(hex(l.hashes)), 47, 7) || format('%05x', (e.value ->> 8) + t.key) AS uuid,
  o.organization_uuid, t.value AS pallet, e.value ->> 0 AS activity_type, e.value ->> 3 AS gate_uuid,
  e.value ->> 1 AS manifest_external_id, e.value ->> 2 AS shipment_external_id,
  CASE WHEN e.value ->> 6 THEN NULL WHEN a.actor_type <> 'USER' THEN a.actor_display_name
    ELSE coalesce((SELECT u.first_name || ' ' || u.last_name FROM user u WHERE u.uuid = a.actor_uuid), '') END AS author,
  iif(e.value ->> 6 OR a.actor_type <> 'USER', NULL, a.actor_uuid) AS author_uuid,
  nullif(e.value -> 4, 'null') AS details, coalesce(e.value ->> 5, l.event_date) AS create_date, l.event_date AS update_date,
  -- Keys for look-ups, not part of the API. Numbers ascend in the order of commits.
  l.id AS log_id, ((l.id & 4294967295) << 20) + (e.value ->> 8) + t.key AS number
FROM organization_number o CROSS JOIN log l ON l.id BETWEEN o.number << 32 AND o.number << 32 | 4294967295
LEFT JOIN audit_actor a ON a.number = l.actor_number
CROSS JOIN json_each(l.entries) e CROSS JOIN json_each(e.value, '$[7]') t;

-- Custom fields of tracks, manifests and shipments.
CREATE TABLE custom_field (
  organization_uuid TEXT NOT NULL,
  owner_uuid TEXT NOT NULL,
  field_key TEXT NOT NULL,
  field_value TEXT NOT NULL,
  -- Value in epoch milliseconds if it is a date and time, else null. The pattern comes first, because SQLite would also
  -- parse other words as times.
  field_date INTEGER GENERATED ALWAYS AS (
    CASE WHEN field_value GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*'
      THEN CAST(round(unixepoch(field_value, 'subsec') * 1000) AS INTEGER) END
  ) VIRTUAL,
  -- Folded value for the global search. Null if the lower() function of SQLite, which handles only a to z, gives the
  -- same.
  folded_value TEXT,
  PRIMARY KEY (organization_uuid, owner_uuid, field_key)
) STRICT;
-- Leaves out the owner. SQLite would otherwise scan this covering index to read the fields of one owner.
CREATE INDEX custom_field_value ON custom_field (organization_uuid, field_key, field_value);
CREATE INDEX custom_field_date ON custom_field (organization_uuid, field_key, field_date)
  WHERE field_date IS NOT NULL;

-- Manifests: work orders that group assets for loading.
CREATE TABLE manifest (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  manifest_status TEXT NOT NULL
    CHECK (manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED')),
  gate_uuid TEXT,
  activate_date INTEGER,
  close_date INTEGER,
  -- Identifies the public pages of a completed manifest.
  public_token TEXT,
  folded_identifier TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  -- Number of assets and of loaded assets, maintained by triggers on asset_loading.
  assets_count INTEGER NOT NULL DEFAULT 0,
  loaded_count INTEGER NOT NULL DEFAULT 0,
  -- The manifest that has the pallets that stayed, and the manifest on which they stayed. Each names the other by uuid, so
  -- both are found by primary key, also after one of them moved to the archive.
  back_order_uuid TEXT,
  back_order_of_uuid TEXT,
  proof_names TEXT CHECK (json_valid(proof_names)),
  priority TEXT NOT NULL DEFAULT 'NORMAL' CHECK (priority IN ('LOW', 'NORMAL', 'HIGH')),
  -- How often the loading records of a manifest have changed. A signature stores the number, to show later changes.
  record_changes INTEGER NOT NULL DEFAULT 0,
  CHECK (manifest_status <> 'IN_PROGRESS' OR gate_uuid IS NOT NULL),
  CHECK ((manifest_status = 'COMPLETED') = (public_token IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX manifest_external_identifier ON manifest (organization_uuid, external_identifier)
  WHERE deleted_date IS NULL;
CREATE INDEX manifest_status ON manifest (organization_uuid, manifest_status, create_date, uuid)
  WHERE deleted_date IS NULL;
CREATE INDEX manifest_gate ON manifest (organization_uuid, gate_uuid, manifest_status)
  WHERE deleted_date IS NULL;
CREATE UNIQUE INDEX manifest_public_token ON manifest (public_token) WHERE public_token IS NOT NULL;
-- Archiving starts with the oldest closed manifests.
CREATE INDEX manifest_close_date ON manifest (organization_uuid, close_date, uuid)
  WHERE close_date IS NOT NULL;
CREATE INDEX manifest_changed_late ON manifest (organization_uuid, update_date)
  WHERE update_date > close_date AND deleted_date IS NULL;
-- Most manifests have the usual priority, and no entry.
CREATE INDEX manifest_priority ON manifest (organization_uuid, priority, create_date, uuid)
  WHERE deleted_date IS NULL AND priority <> 'NORMAL';
CREATE INDEX manifest_deleted ON manifest (organization_uuid) WHERE deleted_date IS NOT NULL;

CREATE TRIGGER manifest_total_insert AFTER INSERT ON manifest BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'manifest', json_object(NEW.manifest_status, 1)
    WHERE NEW.deleted_date IS NULL ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || NEW.manifest_status || '"', coalesce(parts ->> ('$."' || NEW.manifest_status || '"'), 0) + 1);
END;

CREATE TRIGGER manifest_total_update AFTER UPDATE OF manifest_status, deleted_date ON manifest
WHEN OLD.manifest_status IS NOT NEW.manifest_status
  OR (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL) BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'manifest', json_object(NEW.manifest_status, (NEW.deleted_date IS NULL))
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || OLD.manifest_status || '"', coalesce(parts ->> ('$."' || OLD.manifest_status || '"'), 0) - (OLD.deleted_date IS NULL),
      '$."' || NEW.manifest_status || '"', coalesce(parts ->> ('$."' || NEW.manifest_status || '"'), 0) + (NEW.deleted_date IS NULL) - (OLD.deleted_date IS NULL) * (OLD.manifest_status = NEW.manifest_status));
END;

CREATE TRIGGER manifest_total_delete AFTER DELETE ON manifest BEGIN
  UPDATE list_part SET parts = json_set(parts, '$."' || OLD.manifest_status || '"', coalesce(parts ->> ('$."' || OLD.manifest_status || '"'), 0) - 1)
    WHERE organization_uuid = OLD.organization_uuid AND list = 'manifest' AND OLD.deleted_date IS NULL;
END;

-- Loading records: one row per asset of a manifest, created as NOT_LOADED. While the manifest is open, the track of an
-- asset is found by its WMS id. Closing the manifest stores the track. Invalid loadings (a pallet on the wrong
-- manifest, an unknown marker) are also rows and may have no WMS id.
CREATE TABLE asset_loading (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  manifest_uuid TEXT NOT NULL,
  wms_id TEXT,
  loading_status TEXT NOT NULL CHECK (loading_status IN
    ('NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING')),
  track_uuid TEXT,
  gate_uuid TEXT,
  loading_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  -- Scanned code of an invalid loading.
  marker_code INTEGER,
  -- 1 after the manifest was closed or deleted. The open manifests of a pallet are found quickly among many closed
  -- ones.
  closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
  -- The same as track.camera_dates, for a pallet without a track.
  camera_dates TEXT CHECK (json_valid(camera_dates)),
  CHECK (wms_id IS NOT NULL OR loading_status = 'UNKNOWN_LOADING')
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_loading_manifest
  ON asset_loading (organization_uuid, manifest_uuid, create_date, uuid);
CREATE INDEX asset_loading_marker_code ON asset_loading (organization_uuid, marker_code, manifest_uuid)
  WHERE marker_code IS NOT NULL;
CREATE INDEX asset_loading_wms_id
  ON asset_loading (organization_uuid, wms_id, closed, manifest_uuid DESC);
-- Only the few invalid loadings have an entry by status. The assets of a manifest are read with the manifest.
CREATE INDEX asset_loading_invalid ON asset_loading (organization_uuid, manifest_uuid)
  WHERE loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING');

CREATE TRIGGER asset_loading_added AFTER INSERT ON asset_loading BEGIN
  UPDATE manifest SET record_changes = record_changes + 1,
    assets_count = assets_count + (NEW.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')),
    loaded_count = loaded_count + (NEW.loading_status = 'LOADED')
  WHERE uuid = NEW.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING';
END;

CREATE TRIGGER asset_loading_removed AFTER DELETE ON asset_loading BEGIN
  UPDATE manifest SET record_changes = record_changes + 1,
    assets_count = assets_count - (OLD.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')),
    loaded_count = loaded_count - (OLD.loading_status = 'LOADED')
  WHERE uuid = OLD.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING';
END;

CREATE TRIGGER asset_loading_marked AFTER UPDATE OF loading_status ON asset_loading
WHEN OLD.loading_status <> NEW.loading_status BEGIN
  UPDATE manifest SET record_changes = record_changes + 1,
    loaded_count = loaded_count + (NEW.loading_status = 'LOADED') - (OLD.loading_status = 'LOADED'),
    update_date = max(update_date, NEW.update_date)
  WHERE uuid = NEW.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING';
END;

-- An index cost each asset two entries only to keep it unique in its manifest. A trigger finds the other asset by the
-- index by WMS id. The text of the error is the same, so the writer decides the command again, as before.
CREATE TRIGGER asset_loading_unique_insert BEFORE INSERT ON asset_loading
WHEN NEW.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: asset_loading.organization_uuid, asset_loading.manifest_uuid, asset_loading.wms_id')
  FROM asset_loading WHERE organization_uuid = NEW.organization_uuid AND wms_id = NEW.wms_id AND closed IN (0, 1)
    AND manifest_uuid = NEW.manifest_uuid AND loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND uuid <> NEW.uuid;
END;

CREATE TRIGGER asset_loading_unique_update BEFORE UPDATE OF manifest_uuid, wms_id, loading_status ON asset_loading
WHEN NEW.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  AND (OLD.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    OR (OLD.manifest_uuid, OLD.wms_id) IS NOT (NEW.manifest_uuid, NEW.wms_id)) BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: asset_loading.organization_uuid, asset_loading.manifest_uuid, asset_loading.wms_id')
  FROM asset_loading WHERE organization_uuid = NEW.organization_uuid AND wms_id = NEW.wms_id AND closed IN (0, 1)
    AND manifest_uuid = NEW.manifest_uuid AND loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND uuid <> NEW.uuid;
END;

-- Corrections of closed records change the pallets. The times stay.
CREATE TRIGGER shipment_figures_corrected AFTER UPDATE OF loading_status ON asset_loading
WHEN OLD.loading_status <> NEW.loading_status
  AND (OLD.closed = 1 OR 'WRONGLY_LOADED' IN (OLD.loading_status, NEW.loading_status)
    OR 'UNKNOWN_LOADING' IN (OLD.loading_status, NEW.loading_status))
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET
    pallets_loaded = pallets_loaded + (NEW.loading_status = 'LOADED') - (OLD.loading_status = 'LOADED'),
    pallets_missing = pallets_missing + (NEW.loading_status IN ('NOT_LOADED', 'UNLOADED'))
      - (OLD.loading_status IN ('NOT_LOADED', 'UNLOADED')),
    pallets_wrong = pallets_wrong + (NEW.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))
      - (OLD.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))
  WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
    FROM manifest CROSS JOIN shipment_manifest m ON m.organization_uuid = NEW.organization_uuid
      AND m.manifest_uuid = manifest.uuid
    CROSS JOIN shipment s ON s.uuid = m.shipment_uuid
    WHERE manifest.uuid = NEW.manifest_uuid AND manifest.manifest_status <> 'CANCELLED' AND s.status = 'COMPLETED');
END;

CREATE TRIGGER shipment_figures_invalid_added AFTER INSERT ON asset_loading
WHEN NEW.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET pallets_wrong = pallets_wrong + 1
  WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
    FROM manifest CROSS JOIN shipment_manifest m ON m.organization_uuid = NEW.organization_uuid
      AND m.manifest_uuid = manifest.uuid
    CROSS JOIN shipment s ON s.uuid = m.shipment_uuid
    WHERE manifest.uuid = NEW.manifest_uuid AND manifest.manifest_status <> 'CANCELLED' AND s.status = 'COMPLETED');
END;

-- Records of archived manifests are deleted after their manifest. They change nothing.
CREATE TRIGGER shipment_figures_invalid_removed AFTER DELETE ON asset_loading
WHEN OLD.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  AND (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET pallets_wrong = pallets_wrong - 1
  WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
    FROM manifest CROSS JOIN shipment_manifest m ON m.organization_uuid = OLD.organization_uuid
      AND m.manifest_uuid = manifest.uuid
    CROSS JOIN shipment s ON s.uuid = m.shipment_uuid
    WHERE manifest.uuid = OLD.manifest_uuid AND manifest.manifest_status <> 'CANCELLED' AND s.status = 'COMPLETED');
END;

-- Shipments: manifests that leave together.
CREATE TABLE shipment (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED')),
  gate_uuid TEXT,
  notes TEXT,
  activate_date INTEGER,
  close_date INTEGER,
  -- Identifies the public pages of a completed shipment.
  public_token TEXT,
  folded_identifier TEXT NOT NULL,
  folded_notes TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  -- The reason that was given when the shipment was completed.
  short_reason TEXT,
  -- When the truck of a shipment arrived, and the name of its driver. The token of the public page of its driver: an open
  -- shipment has one.
  arrival_date INTEGER,
  driver_name TEXT,
  driver_token TEXT,
  -- The names that the proof of a completed load shows, as JSON: of the organization and the gate, and the keys of the
  -- custom fields by their roles. Another name or role that is given later does not change a proof.
  proof_names TEXT CHECK (json_valid(proof_names)),
  -- Wrong pallets and unknown markers that were taken off. A pallet that is taken off after completion counts, too.
  caught_count INTEGER NOT NULL DEFAULT 0,
  CHECK (status <> 'IN_PROGRESS' OR gate_uuid IS NOT NULL),
  CHECK ((status = 'COMPLETED') = (public_token IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX shipment_external_identifier ON shipment (organization_uuid, external_identifier)
  WHERE deleted_date IS NULL;
CREATE INDEX shipment_status ON shipment (organization_uuid, status, create_date, uuid)
  WHERE deleted_date IS NULL;
CREATE INDEX shipment_gate ON shipment (organization_uuid, gate_uuid, status) WHERE deleted_date IS NULL;
-- Public pages are found by the token alone.
CREATE UNIQUE INDEX shipment_public_token ON shipment (public_token) WHERE public_token IS NOT NULL;
CREATE INDEX shipment_close_date ON shipment (organization_uuid, close_date, uuid)
  WHERE close_date IS NOT NULL;
CREATE INDEX shipment_changed_late ON shipment (organization_uuid, update_date)
  WHERE update_date > close_date AND deleted_date IS NULL;
CREATE INDEX shipment_deleted ON shipment (organization_uuid) WHERE deleted_date IS NOT NULL;
-- The page of shipments shows open shipments first. Closed shipments follow, last closed first. This index has the closed
-- shipments of each status in that order.
CREATE INDEX shipment_closed ON shipment (organization_uuid, status, close_date DESC, uuid)
  WHERE close_date IS NOT NULL AND deleted_date IS NULL;
CREATE UNIQUE INDEX shipment_driver_token ON shipment (driver_token) WHERE driver_token IS NOT NULL;

CREATE TRIGGER shipment_total_insert AFTER INSERT ON shipment BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'shipment', json_object(NEW.status, 1)
    WHERE NEW.deleted_date IS NULL ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + 1);
END;

CREATE TRIGGER shipment_total_update AFTER UPDATE OF status, deleted_date ON shipment
WHEN OLD.status IS NOT NEW.status
  OR (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL) BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'shipment', json_object(NEW.status, (NEW.deleted_date IS NULL))
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || OLD.status || '"', coalesce(parts ->> ('$."' || OLD.status || '"'), 0) - (OLD.deleted_date IS NULL),
      '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + (NEW.deleted_date IS NULL) - (OLD.deleted_date IS NULL) * (OLD.status = NEW.status));
END;

CREATE TRIGGER shipment_total_delete AFTER DELETE ON shipment BEGIN
  UPDATE list_part SET parts = json_set(parts, '$."' || OLD.status || '"', coalesce(parts ->> ('$."' || OLD.status || '"'), 0) - 1)
    WHERE organization_uuid = OLD.organization_uuid AND list = 'shipment' AND OLD.deleted_date IS NULL;
END;

-- Loading of a shipment with a departure starts, or a shipment with an open alert is closed or deleted.
CREATE TRIGGER shipment_departure_update AFTER UPDATE OF status, deleted_date ON shipment
WHEN OLD.status IS NOT NEW.status OR OLD.deleted_date IS NOT NEW.deleted_date BEGIN
  INSERT INTO departure_due SELECT o.uuid, 0 FROM organization o
    WHERE o.uuid = NEW.organization_uuid AND o.residence = 'HERE' AND iif(
      NEW.status = 'IN_PROGRESS' AND NEW.deleted_date IS NULL,
      EXISTS (SELECT 1 FROM json_each(o.shipment_custom_fields) CROSS JOIN custom_field c
        ON c.organization_uuid = o.uuid AND c.owner_uuid = NEW.uuid AND c.field_key = value ->> 'fieldKey'
        WHERE value ->> 'role' = 'PLANNED_DEPARTURE' AND c.field_date IS NOT NULL),
      EXISTS (SELECT 1 FROM alert WHERE organization_uuid = o.uuid AND record_uuid = NEW.uuid AND +status = 'OPEN'
        AND +alert_type IN ('DEPARTURE_AT_RISK', 'DEPARTURE_LATE')))
    ON CONFLICT DO UPDATE SET due_date = 0 WHERE departure_due.due_date > 0;
END;

-- In the commit that completes a shipment.
CREATE TRIGGER shipment_figures_completed AFTER UPDATE OF status ON shipment
WHEN NEW.status = 'COMPLETED' AND OLD.status <> 'COMPLETED'
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  INSERT INTO shipment_figures SELECT * FROM computed_figures WHERE shipment_uuid = NEW.uuid ON CONFLICT DO NOTHING;
END;

-- Manifests of shipments, attached in the order of the rowid. The primary key keeps a manifest out of a second
-- shipment.
CREATE TABLE shipment_manifest (
  organization_uuid TEXT NOT NULL,
  manifest_uuid TEXT NOT NULL,
  shipment_uuid TEXT NOT NULL,
  PRIMARY KEY (organization_uuid, manifest_uuid)
) STRICT;
CREATE INDEX shipment_manifest_shipment ON shipment_manifest (organization_uuid, shipment_uuid);

-- Readings of cameras and hand scanners, one per scanId, with the response that a repeat gets. A reading has the code of a
-- marker, or the text of any label.
CREATE TABLE scan (
  organization_uuid TEXT NOT NULL,
  scan_id TEXT NOT NULL,
  gate_uuid TEXT NOT NULL,
  marker_code INTEGER,
  identifier TEXT,
  direction TEXT NOT NULL CHECK (direction IN ('LOAD', 'UNLOAD', 'OFFLOAD')),
  damaged INTEGER NOT NULL CHECK (damaged IN (0, 1)),
  scan_date INTEGER NOT NULL,
  camera_hardware_id TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN
    ('LOADED', 'UNLOADED', 'OFFLOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING', 'NO_ACTIVE_MANIFEST', 'NOT_LOADED',
    'SUPERSEDED', 'NOT_RECOGNIZED')),
  record_uuid TEXT,
  manifest_external_id TEXT,
  track_identifier TEXT,
  create_date INTEGER NOT NULL,
  CHECK ((marker_code IS NULL) <> (identifier IS NULL)),
  PRIMARY KEY (organization_uuid, scan_id)
) STRICT, WITHOUT ROWID;

-- Alerts about wrong loadings, silent devices and disabled webhooks.
CREATE TABLE alert (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  alert_type TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('WARNING', 'CRITICAL')),
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'RESOLVED')),
  -- JSON object of the facts that its message needs beside the other columns.
  params TEXT NOT NULL,
  gate_uuid TEXT,
  track_identifier TEXT,
  marker_code INTEGER,
  manifest_external_id TEXT,
  shipment_external_id TEXT,
  record_uuid TEXT,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  resolved_date INTEGER,
  -- Set for an alert about a silent device. A device has at most one open alert.
  device_uuid TEXT,
  -- The planned departure that an alert is about. Null for other alerts, and after the departure no longer applied.
  planned_date INTEGER,
  -- The number of readings that an alert covers.
  count INTEGER NOT NULL DEFAULT 1 CHECK (count >= 1),
  CHECK ((status = 'RESOLVED') = (resolved_date IS NOT NULL))
) STRICT;
CREATE INDEX alert_create_date ON alert (organization_uuid, create_date, uuid);
CREATE INDEX alert_open_gate ON alert (organization_uuid, gate_uuid, alert_type) WHERE status = 'OPEN';
CREATE INDEX alert_record ON alert (organization_uuid, record_uuid) WHERE record_uuid IS NOT NULL;
CREATE UNIQUE INDEX alert_open_device ON alert (organization_uuid, device_uuid)
  WHERE device_uuid IS NOT NULL AND status = 'OPEN';
CREATE INDEX alert_status ON alert (organization_uuid, status, create_date, uuid);
-- Open alerts about tablets at which too many badges or PINs were tried. The schedule looks for them each minute.
CREATE INDEX alert_sign_in_limit ON alert (organization_uuid, alert_type, status, create_date)
  WHERE alert_type = 'SIGN_IN_LIMIT_REACHED' AND status = 'OPEN';
-- All alerts about one device or tablet, open and resolved.
CREATE INDEX alert_device ON alert (organization_uuid, device_uuid, create_date) WHERE device_uuid IS NOT NULL;
CREATE UNIQUE INDEX alert_open_load ON alert (organization_uuid, record_uuid, alert_type)
  WHERE status = 'OPEN' AND alert_type IN ('COMPLETED_SHORT', 'DEPARTURE_AT_RISK', 'DEPARTURE_LATE', 'PALLETS_ABOARD');

CREATE TRIGGER alert_total_insert AFTER INSERT ON alert BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'alert', json_object(NEW.status, 1)
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + 1);
END;

CREATE TRIGGER alert_total_update AFTER UPDATE OF status ON alert
WHEN OLD.status IS NOT NEW.status BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'alert', json_object(NEW.status, 1)
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || OLD.status || '"', coalesce(parts ->> ('$."' || OLD.status || '"'), 0) - 1,
      '$."' || NEW.status || '"', coalesce(parts ->> ('$."' || NEW.status || '"'), 0) + 1);
END;

CREATE TRIGGER alert_pallet_resolved AFTER UPDATE OF status ON alert
WHEN NEW.status = 'RESOLVED' BEGIN
  DELETE FROM alert_pallet WHERE organization_uuid = NEW.organization_uuid AND alert_uuid = NEW.uuid;
END;

-- Manifests and shipments that were archived to the bucket. They keep their uuid.
CREATE TABLE archive_entry (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  entity_type TEXT NOT NULL CHECK (entity_type IN ('MANIFEST', 'SHIPMENT')),
  external_identifier TEXT NOT NULL,
  folded_identifier TEXT NOT NULL,
  public_token TEXT,
  -- Archive unit: the shipment of a manifest, otherwise the manifest or shipment itself.
  unit_uuid TEXT NOT NULL,
  -- Index of its document in the unit, and index of its first loading record in the unit.
  place INTEGER NOT NULL,
  first_record INTEGER NOT NULL,
  -- 0 while hidden rows of it are still in the database.
  cleared INTEGER NOT NULL CHECK (cleared IN (0, 1)),
  close_date INTEGER NOT NULL,
  archive_date INTEGER NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER
) STRICT;
CREATE UNIQUE INDEX archive_entry_public_token ON archive_entry (public_token)
  WHERE public_token IS NOT NULL;
CREATE UNIQUE INDEX archive_entry_external_identifier
  ON archive_entry (organization_uuid, external_identifier, entity_type) WHERE deleted_date IS NULL;
CREATE INDEX archive_entry_close_date ON archive_entry (organization_uuid, close_date, uuid)
  WHERE deleted_date IS NULL;
CREATE INDEX archive_entry_clearing ON archive_entry (organization_uuid, uuid) WHERE cleared = 0;
CREATE INDEX archive_entry_deleted ON archive_entry (organization_uuid) WHERE deleted_date IS NOT NULL;

CREATE TRIGGER archive_entry_total_insert AFTER INSERT ON archive_entry BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'archive_entry', json_object(NEW.entity_type, 1)
    WHERE NEW.deleted_date IS NULL ON CONFLICT DO UPDATE SET parts = json_set(parts, '$."' || NEW.entity_type || '"', coalesce(parts ->> ('$."' || NEW.entity_type || '"'), 0) + 1);
END;

-- Objects in the bucket that make up the archive.
CREATE TABLE archive_object (
  organization_uuid TEXT NOT NULL,
  unit_uuid TEXT NOT NULL,
  -- DOCUMENT is a manifest or shipment. RECORDS are the loading records of the unit, in order. TRACKS are the pallets
  -- that left with it.
  kind TEXT NOT NULL CHECK (kind IN ('DOCUMENT', 'RECORDS', 'TRACKS')),
  place INTEGER NOT NULL,
  object_key TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  -- Of the bytes of the object, in hex.
  sha256 TEXT NOT NULL,
  PRIMARY KEY (organization_uuid, unit_uuid, kind, place)
) STRICT, WITHOUT ROWID;

-- Marker codes of archived pallets, which cannot be coupled again.
CREATE TABLE archived_marker (
  organization_uuid TEXT NOT NULL,
  marker_code INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, marker_code)
) STRICT, WITHOUT ROWID;

-- Named views of lists: a query that a user has saved. The unique index also serves the menu of views.
CREATE TABLE saved_view (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  user_uuid TEXT NOT NULL,
  -- Path of the page of the list.
  list TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX saved_view_name ON saved_view (organization_uuid, user_uuid, list, name);

-- Number of rows of each list, without deleted rows. The part is a status for lists that are filtered by status,
-- otherwise empty. Triggers on the listed tables maintain the totals.
CREATE TABLE list_part (
  organization_uuid TEXT NOT NULL,
  list TEXT NOT NULL,
  -- Object with the number of rows of each part. One row has all parts, because a change of status changes two of them.
  parts TEXT NOT NULL CHECK (json_valid(parts)),
  PRIMARY KEY (organization_uuid, list)
) STRICT, WITHOUT ROWID;
-- The totals, one in each row.
CREATE VIEW list_total AS SELECT l.organization_uuid, l.list, p.key AS part, p.value AS total
FROM list_part l CROSS JOIN json_each(l.parts) p;

-- Sessions of operators that were signed out, kept until their cookies would have expired.
CREATE TABLE ended_session (
  organization_uuid TEXT NOT NULL CHECK (organization_uuid = '00000000-0000-0000-0000-000000000000'),
  -- SHA-256 (hex) of the id in the cookie.
  session_hash TEXT NOT NULL,
  expires_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, session_hash)
) STRICT;
CREATE INDEX ended_session_expires_date ON ended_session (expires_date);

-- Moves, imports and erasures of organizations in one table. Only the table in DB has rows.
CREATE TABLE long_job (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  operation_type TEXT NOT NULL
    CHECK (operation_type IN
      ('ORGANIZATION_MOVE', 'ORGANIZATION_IMPORT', 'ORGANIZATION_ERASURE', 'ORGANIZATION_RESTORE')),
  phase TEXT NOT NULL CHECK (phase IN ('EMPTYING', 'COPYING', 'CATCHING_UP', 'FROZEN', 'LEFT', 'ABANDONED',
    'CHECKING', 'IMPORTING', 'ARRIVING', 'CLEARING', 'DONE')),
  -- JSON of the request.
  input TEXT NOT NULL CHECK (json_valid(input)),
  -- JSON of the progress within the phase.
  progress TEXT NOT NULL CHECK (json_valid(progress)),
  claim TEXT,
  error_code TEXT,
  error_message TEXT,
  phase_date INTEGER NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  finish_date INTEGER,
  CHECK ((finish_date IS NULL) = (phase <> 'DONE')),
  CHECK ((error_code IS NULL) = (error_message IS NULL))
) STRICT;
CREATE INDEX long_job_open ON long_job (update_date) WHERE finish_date IS NULL;
CREATE UNIQUE INDEX long_job_organization ON long_job (organization_uuid) WHERE finish_date IS NULL;

-- Photos of pallets, manifests and shipments. The bytes are objects of the bucket below organization/{uuid}/photo/.
-- owner_uuid and owner_identifier name the pallet, manifest or shipment, also after it moved to the archive.
CREATE TABLE photo (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  owner_type TEXT NOT NULL CHECK (owner_type IN ('TRACK', 'MANIFEST', 'SHIPMENT')),
  owner_uuid TEXT NOT NULL,
  owner_identifier TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('DAMAGE', 'LOAD', 'SEAL', 'OTHER')),
  public_token TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  taken_date INTEGER,
  author TEXT NOT NULL,
  author_uuid TEXT,
  create_date INTEGER NOT NULL,
  -- The size of the thumbnail of a photo, which follows the photo in its object. It is 0 if its sender made none.
  thumbnail_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX photo_create_date ON photo (organization_uuid, create_date, uuid);
CREATE INDEX photo_owner ON photo (organization_uuid, owner_uuid);
CREATE INDEX photo_owner_identifier ON photo (organization_uuid, owner_identifier);
CREATE UNIQUE INDEX photo_public_token ON photo (public_token);

CREATE TRIGGER photo_total_insert AFTER INSERT ON photo BEGIN
  INSERT INTO list_part SELECT NEW.organization_uuid, 'photo', json_object('', 1)
    WHERE TRUE ON CONFLICT DO UPDATE SET parts = json_set(parts, '$.""', coalesce(parts ->> ('$.""'), 0) + 1);
END;

CREATE TRIGGER photo_total_delete AFTER DELETE ON photo BEGIN
  UPDATE list_part SET parts = json_set(parts, '$.""', coalesce(parts ->> ('$.""'), 0) - 1)
    WHERE organization_uuid = OLD.organization_uuid AND list = 'photo';
END;

-- Signatures of shipments, and of manifests without a shipment. A row never changes. A later signature of the same role
-- supersedes it.
CREATE TABLE signature (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  -- The shipment or manifest.
  load_uuid TEXT NOT NULL,
  -- From 1 for each load, in the order of the signatures.
  number INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('DRIVER', 'LOADER', 'CONSIGNEE')),
  signer_name TEXT NOT NULL,
  -- JSON array of strokes. A stroke is an array of points [x, y] in a box of 1000 by 400.
  strokes TEXT NOT NULL CHECK (json_valid(strokes)),
  sign_date INTEGER NOT NULL,
  -- 1 if the load was completed before. Then a proof without this signature exists.
  after_close INTEGER NOT NULL CHECK (after_close IN (0, 1)),
  -- Display name of the caller. Empty for a user.
  author TEXT NOT NULL,
  author_uuid TEXT,
  create_date INTEGER NOT NULL,
  -- The load that a signature was given for, as JSON.
  signed_for TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(signed_for))
) STRICT;
CREATE UNIQUE INDEX signature_load ON signature (organization_uuid, load_uuid, number);

-- When the departures of an organization are checked next (epoch milliseconds, 0 for now). The schedule wakes only
-- organizations that are due. Changes of departures bring the date forward.
CREATE TABLE departure_due (
  organization_uuid TEXT PRIMARY KEY NOT NULL,
  due_date INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX departure_due_date ON departure_due (due_date, organization_uuid);

-- Figures of completed shipments for reports: one row for each shipment, written when it is completed. They stay when the
-- shipment is archived. Times are minutes, rounded down.
CREATE TABLE shipment_figures (
  organization_uuid TEXT NOT NULL,
  close_date INTEGER NOT NULL,
  shipment_uuid TEXT NOT NULL,
  carrier TEXT,
  gate_uuid TEXT,
  planned_date INTEGER,
  loading_minutes INTEGER NOT NULL,
  dwell_minutes INTEGER NOT NULL,
  gate_minutes INTEGER NOT NULL,
  pallets_loaded INTEGER NOT NULL,
  pallets_missing INTEGER NOT NULL,
  pallets_wrong INTEGER NOT NULL,
  short_reason TEXT,
  pallets_caught INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_uuid, close_date, shipment_uuid)
) STRICT, WITHOUT ROWID;
-- The reasons of short shipments. They are few.
CREATE INDEX shipment_figures_short ON shipment_figures (organization_uuid, close_date)
  WHERE pallets_missing > 0 AND short_reason IS NOT NULL;

CREATE VIEW computed_figures AS SELECT s.organization_uuid AS organization, s.close_date, s.uuid AS shipment_uuid,
  (SELECT carrier FROM computed_fields WHERE computed_fields.shipment_uuid = s.uuid) AS carrier,
  s.gate_uuid,
  (SELECT planned_date FROM computed_fields WHERE computed_fields.shipment_uuid = s.uuid) AS planned_date,
  coalesce(max(s.close_date - min(a.loading_date) FILTER (WHERE a.loading_status = 'LOADED'), 0) / 60000, 0)
    AS loading_minutes,
  coalesce(max(s.close_date - s.arrival_date, 0) / 60000, 0) AS dwell_minutes,
  coalesce(max(s.close_date - s.activate_date, 0) / 60000, 0) AS gate_minutes,
  count(*) FILTER (WHERE a.loading_status = 'LOADED') AS pallets_loaded,
  count(*) FILTER (WHERE a.loading_status IN ('NOT_LOADED', 'UNLOADED')) AS pallets_missing,
  count(*) FILTER (WHERE a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')) AS pallets_wrong,
  s.short_reason,
  s.caught_count AS pallets_caught
FROM shipment s
  LEFT JOIN shipment_manifest m ON m.organization_uuid = s.organization_uuid AND m.shipment_uuid = s.uuid
  LEFT JOIN manifest ON manifest.uuid = m.manifest_uuid AND manifest.manifest_status <> 'CANCELLED'
  LEFT JOIN asset_loading a ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = manifest.uuid
WHERE s.status = 'COMPLETED' AND s.close_date IS NOT NULL
GROUP BY s.uuid;

-- The addresses that got e-mails in the present hour or have stopped them. Addresses are in lower case.
CREATE TABLE mail_recipient (
  organization_uuid TEXT NOT NULL,
  address TEXT NOT NULL,
  stop_date INTEGER,
  hour_date INTEGER NOT NULL,
  sent_count INTEGER NOT NULL,
  -- When the recipient confirmed the e-mails.
  confirm_date INTEGER,
  -- When the organization first asked for the confirmation within a day, and how often it asked since then.
  ask_date INTEGER,
  ask_count INTEGER NOT NULL DEFAULT 0,
  -- The tests of the hour that sent_count is about.
  test_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_uuid, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_recipient_hour ON mail_recipient (organization_uuid, hour_date);

-- The custom fields of shipments that reports need. A lookup by the uuid of a shipment reads the fields by their keys.
CREATE VIEW computed_fields AS SELECT s.uuid AS shipment_uuid,
  (SELECT f.field_value FROM organization o CROSS JOIN json_each(o.shipment_custom_fields) r
    CROSS JOIN custom_field f ON f.organization_uuid = s.organization_uuid AND f.owner_uuid = s.uuid
      AND f.field_key = r.value ->> 'fieldKey'
    WHERE o.uuid = s.organization_uuid AND r.value ->> 'role' = 'CARRIER') AS carrier,
  (SELECT f.field_date FROM organization o CROSS JOIN json_each(o.shipment_custom_fields) r
    CROSS JOIN custom_field f ON f.organization_uuid = s.organization_uuid AND f.owner_uuid = s.uuid
      AND f.field_key = r.value ->> 'fieldKey'
    WHERE o.uuid = s.organization_uuid AND r.value ->> 'role' = 'PLANNED_DEPARTURE') AS planned_date
FROM shipment s;

-- The pallets and unknown markers that an open alert covers. They were read at a gate without work, or are aboard a load
-- that ended. A resolved alert covers nothing.
CREATE TABLE alert_pallet (
  organization_uuid TEXT NOT NULL,
  alert_uuid TEXT NOT NULL,
  -- Empty for an unknown marker.
  wms_id TEXT NOT NULL,
  -- 0 for a pallet without a marker.
  marker_code INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, alert_uuid, wms_id, marker_code)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_pallet_wms_id ON alert_pallet (organization_uuid, wms_id) WHERE wms_id <> '';
CREATE INDEX alert_pallet_marker_code ON alert_pallet (organization_uuid, marker_code) WHERE marker_code <> 0;

