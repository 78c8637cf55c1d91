-- Finds the only pallet with an id that differs in case. Ids of digits, such as SSCCs, are their own folded text: they
-- have no entry, and the index by WMS id finds them.
-- The version before works with this schema and does not use the index.
CREATE INDEX track_folded_wms_id ON track (organization_uuid, folded_wms_id)
  WHERE folded_wms_id <> wms_id AND deleted_date IS NULL;
