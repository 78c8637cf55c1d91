-- The size of the thumbnail of a photo, which follows the photo in its object. It is 0 if its sender made none.
-- The version before works with this schema: its photos have no thumbnail.
ALTER TABLE photo ADD COLUMN thumbnail_bytes INTEGER NOT NULL DEFAULT 0;
