import type { Child, FC } from 'hono/jsx';
import {
  FACT_NAMES,
  factOf,
  type ManifestFact,
  type ManifestFacts,
} from '../../../../dispatch/load/manifest/rules.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { Form, Select, Submit } from '../../../ui/form/form.tsx';
import { Badge, statusIn } from '../../../ui/parts/components.tsx';
import { factLabel } from '../../../ui/parts/field-labels.ts';
import { Fact, Pencil } from '../load/facts.tsx';
import type { ManifestActions } from './actions.ts';

/** Filters of a list by the facts. */
export const FACT_FILTERS = FACT_NAMES.map((name) => ({
  name,
  label: (words: Words) => factLabel(words, name),
  options: factOf(name).choices,
}));

/** Columns of a list for the facts. The usual value is not shown, so that the others stand out. */
export const factColumns = (words: Words) =>
  FACT_NAMES.map((name) => ({
    label: factLabel(words, name),
    key: name,
    sort: name,
    value: (manifest: ManifestFacts) =>
      manifest[name] === factOf(name).unset ? null : <Badge status={manifest[name]} />,
    plain: (manifest: ManifestFacts) => manifest[name],
    extra: true as const,
  }));

/** The choice of a fact. */
const FactSelect: FC<{ name: ManifestFact; value: string }> = ({ name, value }) => {
  const words = useWords();
  return (
    <Select
      name={name}
      label={factLabel(words, name)}
      value={value}
      word={(choice: string) => statusIn(words, choice)}
    />
  );
};

/** The choices of all facts, in the form of a new manifest. */
export const FactSelects: FC = () => (
  <>
    {FACT_NAMES.map((name) => (
      <FactSelect name={name} value={factOf(name).unset} />
    ))}
  </>
);

/** The facts of a manifest with their pencils. */
export const factRows = (words: Words, manifest: ManifestFacts, mayChange: boolean) =>
  FACT_NAMES.map((name): [string, Child] => {
    const label = factLabel(words, name);
    const form = { action: 'setFacts', of: { name: 'fact', value: name } } as const;
    return [
      label,
      <Fact shown={<span>{statusIn(words, manifest[name])}</span>}>
        {mayChange && (
          <Pencil label={label} of={form}>
            <Form<ManifestActions> {...form}>
              <FactSelect name={name} value={manifest[name]} />
              <Submit quiet>{words.t('field.save')}</Submit>
            </Form>
          </Pencil>
        )}
      </Fact>,
    ];
  });
