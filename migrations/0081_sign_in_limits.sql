-- Open alerts about tablets at which too many badges or PINs were tried. The schedule looks for them each minute.
CREATE INDEX alert_sign_in_limit ON alert (organization_uuid, create_date)
  WHERE alert_type = 'SIGN_IN_LIMIT_REACHED' AND status = 'OPEN';
