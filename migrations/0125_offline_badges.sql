-- Tablets recognize badges without a connection. The key of a badge is hidden by a key of the deployment. The kind says
-- whether a code is a PIN, a badge, or fits both. Both are null until an older badge or PIN is used again.
ALTER TABLE gate_worker ADD COLUMN offline_key TEXT;
ALTER TABLE gate_worker ADD COLUMN code_kind TEXT CHECK (code_kind IN ('PIN', 'BADGE', 'BOTH'));
