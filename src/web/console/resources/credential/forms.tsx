import type { FC } from 'hono/jsx';
import type { OwnKind } from '../../../../access/credential/issue-credential.ts';
import { SCOPES, type TokenScope } from '../../../../access/credential/schema.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { Ask } from '../../../ui/confirm/confirmation.tsx';
import { Checkboxes, Field, Form, Select, Submit } from '../../../ui/form/form.tsx';
import { wordsAmong } from '../../../ui/parts/codes.ts';
import type { ActionName, NoActions } from '../../../ui/parts/form-rules.ts';
import type { CredentialActions } from './actions.tsx';

/** The choices for the lifetime of a credential, in days. A token always expires. */
const DAYS = { API_KEY: [30, 90, 365], ACCESS_TOKEN: [30, 90, 365] } as const;
const DAYS_DEFAULT = '90';
/** The choices for how long the old secret stays valid, in hours. */
const OVERLAP_HOURS = [1, 24, 168] as const;

/** A scope in words. An unknown scope is shown as stored. */
export const scopeIn = ({ t }: Words, scope: string): string =>
  wordsAmong(SCOPES, scope, (known) => t(`scope.${known}`));

export function NewCredential<A = NoActions>({
  kind,
  action,
  name,
  scopes = [],
}: {
  kind: OwnKind;
  action: ActionName<NoInfer<A>>;
  name?: string;
  scopes?: readonly TokenScope[];
}) {
  const words = useWords();
  const { t } = words;
  const days = DAYS[kind].map((count) => ({ value: String(count), label: t('key.days', { days: count }) }));
  const isKey = kind === 'API_KEY';
  return (
    <Form<A> action={action} label={t('key.new', { kind })}>
      <Field name="name" label={t('key.name')} value={name} />
      {!isKey && (
        <Checkboxes
          name="scopes"
          label={t('key.scopes')}
          word={(value: (typeof SCOPES)[number]) => scopeIn(words, value)}
          values={scopes}
        />
      )}
      <Select
        name="days"
        label={t('key.expires')}
        value={isKey ? '' : DAYS_DEFAULT}
        options={isKey ? [{ value: '', label: t('key.never') }, ...days] : days}
      />
      <Submit>{t(isKey ? 'made.create' : 'device.makeToken')}</Submit>
    </Form>
  );
}

export const Ending: FC = () => {
  const { t } = useWords();
  return (
    <>
      <Form<CredentialActions> action="rotate" class="filters" label={t('key.rotateIt')}>
        <Select
          name="overlapSeconds"
          label={t('key.overlap')}
          value={String(24 * 3_600)}
          options={[
            { value: '0', label: t('key.atOnce') },
            ...OVERLAP_HOURS.map((hours) => ({
              value: String(hours * 3_600),
              label: t('key.afterHours', { hours }),
            })),
          ]}
        />
        <Submit quiet>{t('key.rotate')}</Submit>
      </Form>
      <p class="actions">
        <Ask<CredentialActions> action="revoke">{t('key.revokeIt')}</Ask>
      </p>
    </>
  );
};
