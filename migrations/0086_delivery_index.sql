-- One index serves both the due deliveries of a webhook and the metrics. A delivery had two entries before, and each of
-- its steps wrote both again. The version before names this index in its metrics, so the name stays.
DROP INDEX webhook_delivery_pending;
CREATE INDEX webhook_delivery_pending ON webhook_delivery (webhook_uuid, state, due_date) WHERE due_date IS NOT NULL;
DROP INDEX webhook_delivery_due;
