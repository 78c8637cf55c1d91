-- Where the store was put back to an earlier state, numbers were left out: see STORE_REWOUND in the audit log.
CREATE TABLE store_rewind (
  organization_uuid TEXT NOT NULL,
  -- The audit record that declares it: the first behind the gap.
  sequence_number INTEGER NOT NULL,
  -- How many numbers before it no record has.
  skipped_count INTEGER NOT NULL,
  -- The last marker code that had been handed out; null where none was.
  last_marker_code INTEGER,
  PRIMARY KEY (organization_uuid, sequence_number)
) WITHOUT ROWID;
