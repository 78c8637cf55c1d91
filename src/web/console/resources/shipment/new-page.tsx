import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { text } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { FIELD_ROLES, type OrganizationSettings } from '../../../../core/writer/settings.ts';
import { createShipment } from '../../../../dispatch/shipment/commands.ts';
import { shipmentCreateSchema } from '../../../../dispatch/shipment/schema.ts';
import { useWords } from '../../../../messages/context.ts';
import { action, asTyped, type PageContext } from '../../kit/action.ts';
import { Card } from '../../kit/components.tsx';
import { FIND } from '../../kit/filters.tsx';
import { Field, Form, Submit, TextArea } from '../../kit/form.tsx';
import { GateField, gatesQuery } from '../../kit/gates.tsx';
import { page } from '../../kit/page.tsx';
import type { View } from '../../kit/view.ts';
import { CHOICE, candidatesQuery, chosenManifests, LOOK, lookAction, ManifestChoice } from './choice.tsx';

/** Prefix of an input's name, followed by the key of a custom field. */
const FIELD = 'field.';

const form = asTyped(
  shipmentCreateSchema,
  ({ identifier, gate, notes, names, ...more }, listed) => ({
    identifier,
    gateIdentifier: gate || null,
    notes: notes || null,
    manifests: chosenManifests(listed[CHOICE], names),
    customFields: Object.entries(more)
      .filter(([name, value]) => name.startsWith(FIELD) && value !== '')
      .map(([name, fieldValue]) => ({ fieldKey: name.slice(FIELD.length), fieldValue })),
  }),
  [CHOICE],
);

const actions = {
  create: action('operate', form, async ({ c, words, submission }, _: object, made) => {
    const { body } = await write(c, submission, createShipment, {
      identifier: made.identifier,
      gateIdentifier: made.gateIdentifier || null,
      notes: made.notes ?? null,
      manifests: made.manifests,
      customFields: made.customFields ?? [],
    });
    return {
      done: words.t('make.shipmentReady', { name: made.identifier }),
      to: `/app/shipment/${body.uuid}`,
    };
  }),
  [LOOK]: lookAction('create', newShipmentView),
};

/** The page that creates a shipment from chosen manifests, with its plan. */
export function newShipmentPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/shipment/new',
    right: 'operate',
    feature: 'SHIPMENT',
    query: z.object({ [FIND]: text(0, 255).optional() }),
    view: (at, params, query) => newShipmentView(at, params, query[FIND] ?? ''),
    actions,
  });
}

async function newShipmentView(
  { database, session, words: { t } }: PageContext,
  _: object,
  find: string,
): Promise<View> {
  const { gates, candidates } = await database.ask({
    gates: gatesQuery(database),
    candidates: candidatesQuery(database, find),
  });
  return {
    title: t('make.shipment'),
    styles: ['records.css'],
    body: (
      <Card title={t('make.truck')}>
        <Form<typeof actions> action="create" several class="making" label={t('make.shipment')}>
          <ManifestChoice<typeof actions> candidates={candidates} />
          <Field name="identifier" label={t('make.shipmentId')} maxlength={255} required />
          <GateField gates={gates} none={t('desk.noneYet')} />
          <Planned organization={session.organization} />
          <TextArea name="notes" label={t('load.note')} rows={2} maxlength={1_000} />
          <Submit<typeof actions> action="create">{t('make.createShipment')}</Submit>
        </Form>
      </Card>
    ),
  };
}

/**
 * Inputs for carrier, vehicle, departure and seal, if the organization has custom fields for them.
 */
const Planned = ({ organization }: { organization: OrganizationSettings }) => {
  const { t } = useWords();
  return (
    <>
      {FIELD_ROLES.flatMap((role) => {
        const field = organization.shipmentCustomFields.find((configured) => configured.role === role);
        return field ? (
          <Field
            name={`${FIELD}${field.fieldKey}`}
            label={t(`role.${role}`)}
            maxlength={1_000}
            {...(field.fieldType === 'DATE_TIME' ? { hint: t('make.dateHint') } : {})}
          />
        ) : (
          []
        );
      })}
    </>
  );
};
