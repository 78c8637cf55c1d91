-- What is due, over all organizations: the schedule looks for what nobody was woken for.
CREATE INDEX operation_overdue ON operation (due_date, organization_uuid) WHERE due_date IS NOT NULL;
