-- Organizations that arrive in a database are few: looked for every minute.
CREATE INDEX organization_arriving ON organization (residence) WHERE residence = 'ARRIVING';
