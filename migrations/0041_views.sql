-- Views of lists that a user has given a name: a query of the list. Where they are shown they are read by this index.
CREATE TABLE saved_view (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  user_uuid TEXT NOT NULL,
  -- Path of the list's page.
  list TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX saved_view_name ON saved_view (organization_uuid, user_uuid, list, name);
