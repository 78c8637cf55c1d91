-- Moves, imports and erasures of organizations in one table. Only the table in DB has rows.
CREATE TABLE long_job (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  operation_type TEXT NOT NULL
    CHECK (operation_type IN ('ORGANIZATION_MOVE', 'ORGANIZATION_IMPORT', 'ORGANIZATION_ERASURE')),
  phase TEXT NOT NULL CHECK (phase IN ('EMPTYING', 'COPYING', 'CATCHING_UP', 'FROZEN', 'LEFT', 'ABANDONED',
    'IMPORTING', 'ARRIVING', 'CLEARING', 'DONE')),
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

-- The version before uses relocation and organization_job, also after a rollback. These triggers keep both sides equal.
-- Each writes only rows that differ, so that no trigger sets off the others without end.
CREATE TRIGGER long_job_of_relocation_insert AFTER INSERT ON relocation BEGIN
  INSERT INTO long_job VALUES (NEW.uuid, NEW.organization_uuid, 'ORGANIZATION_MOVE', NEW.phase,
      json_object('fromName', NEW.from_name, 'toName', NEW.to_name), NEW.progress, NEW.claim, NEW.error_code,
      NEW.error_message, NEW.phase_date, NEW.create_date, NEW.update_date, NEW.finish_date)
    ON CONFLICT (uuid) DO NOTHING;
END;
CREATE TRIGGER long_job_of_relocation_update AFTER UPDATE ON relocation BEGIN
  UPDATE long_job SET phase = NEW.phase, progress = NEW.progress, claim = NEW.claim, error_code = NEW.error_code,
      error_message = NEW.error_message, phase_date = NEW.phase_date, update_date = NEW.update_date,
      finish_date = NEW.finish_date
    WHERE uuid = NEW.uuid AND (phase, progress, claim, error_code, phase_date, update_date, finish_date) IS NOT
      (NEW.phase, NEW.progress, NEW.claim, NEW.error_code, NEW.phase_date, NEW.update_date, NEW.finish_date);
END;
CREATE TRIGGER long_job_of_relocation_delete AFTER DELETE ON relocation BEGIN
  DELETE FROM long_job WHERE uuid = OLD.uuid;
END;
CREATE TRIGGER long_job_of_organization_job_insert AFTER INSERT ON organization_job BEGIN
  INSERT INTO long_job VALUES (NEW.uuid, NEW.organization_uuid, NEW.operation_type, NEW.phase,
      json_patch(NEW.input, json_object('slug', NEW.slug)), NEW.progress, NEW.claim, NEW.error_code, NEW.error_message,
      NEW.create_date, NEW.create_date, NEW.update_date, NEW.finish_date)
    ON CONFLICT (uuid) DO NOTHING;
END;
CREATE TRIGGER long_job_of_organization_job_update AFTER UPDATE ON organization_job BEGIN
  UPDATE long_job SET phase = NEW.phase, progress = NEW.progress, claim = NEW.claim, error_code = NEW.error_code,
      error_message = NEW.error_message, update_date = NEW.update_date, finish_date = NEW.finish_date,
      phase_date = iif(phase = NEW.phase, phase_date, NEW.update_date)
    WHERE uuid = NEW.uuid AND (phase, progress, claim, error_code, update_date, finish_date) IS NOT
      (NEW.phase, NEW.progress, NEW.claim, NEW.error_code, NEW.update_date, NEW.finish_date);
END;
CREATE TRIGGER long_job_of_organization_job_delete AFTER DELETE ON organization_job BEGIN
  DELETE FROM long_job WHERE uuid = OLD.uuid;
END;
CREATE TRIGGER long_job_insert AFTER INSERT ON long_job BEGIN
  INSERT INTO relocation (uuid, organization_uuid, from_name, to_name, phase, progress, claim, error_code,
      error_message, phase_date, create_date, update_date, finish_date)
    SELECT NEW.uuid, NEW.organization_uuid, NEW.input ->> 'fromName', NEW.input ->> 'toName', NEW.phase, NEW.progress,
      NEW.claim, NEW.error_code, NEW.error_message, NEW.phase_date, NEW.create_date, NEW.update_date, NEW.finish_date
    WHERE NEW.operation_type = 'ORGANIZATION_MOVE' ON CONFLICT (uuid) DO NOTHING;
  INSERT INTO organization_job (uuid, organization_uuid, slug, operation_type, phase, input, progress, claim,
      error_code, error_message, create_date, update_date, finish_date)
    SELECT NEW.uuid, NEW.organization_uuid, NEW.input ->> 'slug', NEW.operation_type, NEW.phase,
      iif(NEW.operation_type = 'ORGANIZATION_ERASURE', 'null', NEW.input), NEW.progress, NEW.claim, NEW.error_code,
      NEW.error_message, NEW.create_date, NEW.update_date, NEW.finish_date
    WHERE NEW.operation_type <> 'ORGANIZATION_MOVE' ON CONFLICT (uuid) DO NOTHING;
END;
CREATE TRIGGER long_job_update AFTER UPDATE ON long_job BEGIN
  UPDATE relocation SET phase = NEW.phase, progress = NEW.progress, claim = NEW.claim, error_code = NEW.error_code,
      error_message = NEW.error_message, phase_date = NEW.phase_date, update_date = NEW.update_date,
      finish_date = NEW.finish_date
    WHERE uuid = NEW.uuid AND (phase, progress, claim, error_code, phase_date, update_date, finish_date) IS NOT
      (NEW.phase, NEW.progress, NEW.claim, NEW.error_code, NEW.phase_date, NEW.update_date, NEW.finish_date);
  UPDATE organization_job SET phase = NEW.phase, progress = NEW.progress, claim = NEW.claim,
      error_code = NEW.error_code, error_message = NEW.error_message, update_date = NEW.update_date,
      finish_date = NEW.finish_date
    WHERE uuid = NEW.uuid AND (phase, progress, claim, error_code, update_date, finish_date) IS NOT
      (NEW.phase, NEW.progress, NEW.claim, NEW.error_code, NEW.update_date, NEW.finish_date);
END;
CREATE TRIGGER long_job_delete AFTER DELETE ON long_job BEGIN
  DELETE FROM relocation WHERE uuid = OLD.uuid;
  DELETE FROM organization_job WHERE uuid = OLD.uuid;
END;

-- The jobs so far. The triggers exist already, so that no write of the version before is lost in between.
INSERT INTO long_job SELECT uuid, organization_uuid, operation_type, phase,
    json_patch(input, json_object('slug', slug)), progress, claim, error_code, error_message, create_date, create_date,
    update_date, finish_date
  FROM organization_job WHERE TRUE ON CONFLICT (uuid) DO NOTHING;
-- An organization that is being erased needs no move.
INSERT INTO long_job SELECT uuid, organization_uuid, 'ORGANIZATION_MOVE', phase,
    json_object('fromName', from_name, 'toName', to_name), progress, claim, error_code, error_message, phase_date,
    create_date, update_date, finish_date
  FROM relocation r WHERE finish_date IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM organization_job j
      WHERE j.organization_uuid = r.organization_uuid AND j.finish_date IS NULL)
  ON CONFLICT (uuid) DO NOTHING;
