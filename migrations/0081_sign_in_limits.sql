-- Open alerts about tablets at which too many badges or PINs were tried. The schedule looks for them each minute.
CREATE INDEX alert_sign_in_limit ON alert (organization_uuid, alert_type, status, create_date)
  WHERE alert_type = 'SIGN_IN_LIMIT_REACHED' AND status = 'OPEN';

-- All alerts about one device or tablet, open and resolved.
CREATE INDEX alert_device ON alert (organization_uuid, device_uuid, create_date) WHERE device_uuid IS NOT NULL;
