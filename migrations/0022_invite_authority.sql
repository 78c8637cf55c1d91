-- Links that are not used yet, by the authority of their user: they end when it comes to permit more.
CREATE INDEX user_invite_authority ON user (organization_uuid, authority_uuid) WHERE invite_hash IS NOT NULL;
