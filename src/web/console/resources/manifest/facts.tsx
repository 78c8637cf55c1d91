import type { Child, FC } from 'hono/jsx';
import type { presentManifest } from '../../../../dispatch/load/manifest/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { Field, Form, Submit } from '../../../ui/form/form.tsx';
import { useShownAgain } from '../../../ui/form/form-state.ts';
import type { GateChoice } from '../../../ui/list/gates.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { fieldLabel } from '../../../ui/parts/field-labels.ts';
import { BackorderLink } from '../load/backorder.tsx';
import { Fact, GateFact, Pencil } from '../load/facts.tsx';
import { gateFacts, PublicLinks } from '../load/parts.tsx';
import { Signed } from '../load/signed.tsx';
import type { ManifestActions } from './actions.ts';
import { factRows } from './choices.tsx';
import { VALUE } from './field-actions.ts';

type ShownManifest = ReturnType<typeof presentManifest>;

/** The shipment of a manifest. */
export interface NamedShipment {
  uuid: string;
  externalIdentifier: string;
}

/** The facts of a manifest. A pencil at each opens its form where the fact is shown. */
export const ManifestFacts: FC<{
  manifest: ShownManifest;
  shipment: NamedShipment | undefined;
  gates: readonly GateChoice[];
  mayChange: { fields: boolean; gate: boolean };
  maySign: boolean;
}> = ({ manifest, shipment, gates, mayChange, maySign }) => {
  const words = useWords();
  const { t } = words;
  const [[gateLabel, gate], ...dates] = gateFacts(words, manifest) as [[string, Child], ...[string, Child][]];
  return (
    <Card title={t('kind.MANIFEST')}>
      <Facts
        facts={[
          [
            gateLabel,
            <GateFact
              shown={gate}
              label={gateLabel}
              of={manifest}
              gates={gates}
              mayChange={mayChange.gate}
            />,
          ],
          [
            t('kind.SHIPMENT'),
            shipment ? (
              <ResourceLink resource="shipment" uuid={shipment.uuid}>
                {shipment.externalIdentifier}
              </ResourceLink>
            ) : (
              <OptionalText of={null} />
            ),
          ],
          ...factRows(words, manifest, mayChange.fields),
          ...(manifest.backorderOf
            ? [[t('load.backorderOf'), <BackorderLink of={manifest.backorderOf} />] as [string, Child]]
            : []),
          ...manifest.customFields.map(({ fieldKey, fieldValue }): [string, Child] => {
            const label = fieldLabel(words, { fieldKey, role: null });
            return [
              label,
              <Fact shown={<span>{fieldValue}</span>}>
                {mayChange.fields && <FieldPencil fieldKey={fieldKey} label={label} value={fieldValue} />}
              </Fact>,
            ];
          }),
          ...dates,
        ]}
      />
      {mayChange.fields && <NewField />}
      <PublicLinks of={manifest} page={`/app/manifest/${manifest.uuid}`} maySign={maySign} />
      <Signed signatures={manifest.signatures} />
    </Card>
  );
};

/** The pencil of a custom field. A blank value removes it. */
const FieldPencil: FC<{ fieldKey: string; label: string; value: string }> = ({ fieldKey, label, value }) => {
  const of = { name: 'fieldKey', value: fieldKey };
  return (
    <Pencil label={label} of={{ action: 'putField', of }}>
      <Form<ManifestActions> action="putField" of={of}>
        <Field name={VALUE} label={label} value={value} />
        <Submit quiet>{useWords().t('field.save')}</Submit>
      </Form>
    </Pencil>
  );
};

/** The form of a custom field that the manifest does not have yet. Manifests have no fixed set of fields. */
const NewField: FC = () => {
  const { t } = useWords();
  return (
    <details class="new-fact" open={useShownAgain({ action: 'addField' })}>
      <summary>{t('field.add')}</summary>
      <Form<ManifestActions> action="addField" label={t('field.add')}>
        <Field name="fieldKey" label={t('field.name')} hint={t('field.nameHint')} />
        <Field name={VALUE} label={t('field.value')} />
        <Submit quiet>{t('field.save')}</Submit>
      </Form>
    </details>
  );
};
