import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { text } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import type { OrganizationSettings } from '../../../../core/writer/settings.ts';
import { createShipment } from '../../../../dispatch/load/shipment/commands.ts';
import { roleKey } from '../../../../dispatch/load/shipment/rules.ts';
import { shipmentCreateSchema } from '../../../../dispatch/load/shipment/schema.ts';
import { action, asTyped, type PageContext } from '../../../ui/confirm/action.ts';
import { askCarrier, Carriers, carriersQuery, newCarrierNotice } from '../../../ui/confirm/carriers.tsx';
import { FieldInput } from '../../../ui/confirm/field-input.tsx';
import { Field, Form, Submit, TextArea } from '../../../ui/form/form.tsx';
import { LATER, Later } from '../../../ui/form/later-button.tsx';
import { FIELD, inForm, laterText, readTypedFields } from '../../../ui/form/typed-fields.ts';
import { FIND } from '../../../ui/list/filters.tsx';
import { GateField, gatesQuery } from '../../../ui/list/gates.tsx';
import { page } from '../../../ui/page/page.tsx';
import { Card } from '../../../ui/parts/components.tsx';
import { ROLES } from '../../../ui/parts/roles.tsx';
import type { View } from '../../../ui/parts/view.ts';
import { CHOICE, candidatesQuery, chosenManifests, LOOK, lookAction, ManifestChoice } from './choice.tsx';

/** The characters of a picker's value, to the minute. */
const PICKER_LENGTH = 16;

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

const inputOf = (fieldKey: string): string => `${FIELD}${fieldKey}`;

/** The custom fields of the form. A field without a text has no value. */
const fieldsOf = ({ customFields }: z.output<typeof form>) =>
  (customFields ?? []).map(({ fieldKey, fieldValue }) => ({ fieldKey, fieldValue: fieldValue ?? '' }));

const actions = {
  create: action(
    'operate',
    form,
    async (at, _: object, made) => {
      const { c, session, words, submission } = at;
      const { fields, notices } = readTypedFields(session.organization, words, fieldsOf(made), inputOf);
      const notice = await newCarrierNotice(at, fields);
      const { body } = await inForm(fields, () =>
        write(c, submission, createShipment, {
          identifier: made.identifier,
          gateIdentifier: made.gateIdentifier || null,
          notes: made.notes ?? null,
          manifests: made.manifests,
          customFields: fields,
        }),
      );
      const done = words.t('make.shipmentReady', { name: made.identifier });
      return {
        done: [done, notice, ...notices].filter(Boolean).join(' '),
        to: `/app/shipment/${body.uuid}`,
      };
    },
    (at, _, made) => askCarrier(at, fieldsOf(made), inputOf),
  ),
  [LOOK]: lookAction('create', newShipmentView),
  [LATER]: lookAction('create', newShipmentView, ({ session: { organization } }, typed) => {
    const key = roleKey(organization.shipmentCustomFields, 'PLANNED_DEPARTURE');
    if (key === null) return typed;
    const name = inputOf(key);
    return { ...typed, [name]: laterText(organization, String(typed[name] ?? '')).slice(0, PICKER_LENGTH) };
  }),
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
  const { gates, candidates, carriers } = await database.ask({
    gates: gatesQuery(database),
    candidates: candidatesQuery(database, find),
    carriers: carriersQuery(database, session.organization),
  });
  return {
    title: t('make.shipment'),
    styles: ['records.css'],
    scripts: ['fields.js'],
    body: (
      <Card title={t('make.truck')}>
        <Carriers carriers={carriers} />
        <Form<typeof actions> action="create" several class="making" label={t('make.shipment')} draft>
          <Field name="identifier" label={t('make.shipmentId')} autofocus />
          <GateField gates={gates} member="gateIdentifier" none={t('desk.noneYet')} />
          <ManifestChoice<typeof actions> candidates={candidates} />
          <Planned organization={session.organization} />
          <TextArea name="notes" label={t('load.note')} rows={2} />
          <Submit<typeof actions> action="create">{t('make.createShipment')}</Submit>
        </Form>
      </Card>
    ),
  };
}

/**
 * Inputs for departure, carrier, vehicle and seal, if the organization has custom fields for them.
 */
const Planned: FC<{ organization: OrganizationSettings }> = ({ organization }) => (
  <>
    {ROLES.flatMap((role) => {
      const field = organization.shipmentCustomFields.find((configured) => configured.role === role);
      if (!field) return [];
      const input = <FieldInput field={field} name={inputOf(field.fieldKey)} />;
      if (role !== 'PLANNED_DEPARTURE') return <div class="with">{input}</div>;
      return (
        <div class="with">
          {input}
          <Later<typeof actions> input={inputOf(field.fieldKey)} />
        </div>
      );
    })}
  </>
);
