CREATE TABLE evidence (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization TEXT NOT NULL,
  kind TEXT NOT NULL,
  load TEXT NOT NULL,
  content TEXT NOT NULL,
  create_date INTEGER NOT NULL
) STRICT;
CREATE INDEX evidence_load ON evidence (organization, load);
