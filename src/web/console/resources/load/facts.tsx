import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { useWords } from '../../../../messages/context.ts';
import { ActionButton, Form, Submit } from '../../../ui/form/form.tsx';
import { type FormName, useShownAgain } from '../../../ui/form/form-state.ts';
import { type GateChoice, GateField } from '../../../ui/list/gates.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import type { LoadActions } from './actions.ts';
import type { LoadView } from './parts.tsx';

/** A fact of a load, with the pencil or button that changes it. */
export const Fact: FC<PropsWithChildren<{ shown: Child }>> = ({ shown, children }) => (
  <div class="fact">
    <div>{shown}</div>
    {children}
  </div>
);

/** A pencil that opens the form `of` a fact. It needs no script. If the form is shown again, it is open. */
export const Pencil: FC<PropsWithChildren<{ label: string; of: FormName }>> = ({ label, of, children }) => (
  <details class="pencil" open={useShownAgain(of)}>
    <summary>
      <Icon name="edit" />
      <span class="hidden">{useWords().t('field.change', { field: label })}</span>
    </summary>
    {children}
  </details>
);

/** The gate of a load. */
export const GateFact: FC<{
  shown: Child;
  label: string;
  of: LoadView;
  gates: readonly GateChoice[];
  mayChange: boolean;
}> = ({ shown, label, of, gates, mayChange }) => {
  const { t } = useWords();
  return (
    <Fact shown={shown}>
      {mayChange && (
        <Pencil label={label} of={{ action: 'gate' }}>
          <Form<LoadActions> action="gate" class="filters" label={t('load.gateForm')}>
            <GateField gates={gates} value={of.gate?.externalIdentifier} />
            <Submit quiet>{t('load.assign')}</Submit>
          </Form>
        </Pencil>
      )}
    </Fact>
  );
};

/** The button that removes a custom field. */
export const RemoveField: FC<{ fieldKey: string; label: string }> = ({ fieldKey, label }) => {
  const { t } = useWords();
  return (
    <ActionButton<LoadActions>
      action="removeField"
      values={{ fieldKey }}
      quiet
      label={t('field.removeOf', { field: label })}
    >
      {t('field.remove')}
    </ActionButton>
  );
};
