import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { isStorable } from '../../../core/lib/text.ts';
import { useWords } from '../../../messages/context.ts';
import {
  AskedFields,
  Choices,
  type QuestionChoice,
  type QuestionField,
  Radios,
} from '../form/asked-fields.tsx';
import { Form, Hidden } from '../form/form.tsx';
import { WithPallets } from '../parts/badges.tsx';
import type { ActionName, NoActions } from '../parts/form-rules.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { type Typed, usePageState, type View } from '../parts/view.ts';

/**
 * The parameter that asks a page for the question of an action. The values of the action's form are
 * sent with it.
 */
export const CONFIRM = 'confirm';

/** The question before an action that cannot be undone. */
export interface Confirmation {
  /** `Complete with 2 missing?` */
  title: string;
  /** The main numbers. */
  tally?: { count: number; word: string; icon: IconName; tone?: 'ok' | 'warn' | 'late' }[];
  /** Lists of names, each with a heading. */
  named?: { heading: string; names: string[]; more: boolean }[];
  /** Choices that change the question. The user can choose again and see the new question. */
  choices?: readonly QuestionChoice[];
  /** The label of the button that shows the question with other choices. Without it, they change only the action. */
  look?: string;
  /** A decision that is part of the action. The first option is preselected. */
  decision?: Omit<QuestionChoice, 'value'>;
  /** Inputs that are part of the action. */
  fields?: readonly QuestionField[];
  /** Other inputs of the action, and their names. */
  more?: { names: readonly string[]; body: Child };
  /** Whether the button that cancels shows the form again with its values. */
  keeps?: boolean;
  /** Whether the values are long. The form is then sent without a longer encoding. */
  multipart?: boolean;
  /** The effect of the action. */
  text: Child;
  /** The label of the button that confirms; null if the action cannot be confirmed like this. */
  yes: string | null;
  /** The label of the button that cancels. */
  no: string;
  /** Reasons to choose from: the value for the audit log, and its label. None is preselected. */
  reasons?: { value: string; label: string }[];
  /** Whether the user can type a reason. False if the audit record must not name a person. */
  note?: boolean;
  /** False if nothing would be lost. The action then runs without confirmation. */
  needed?: boolean;
}

/** The question of an action that runs without confirmation. */
export const NOT_ASKED: Confirmation = { title: '', text: null, yes: '', no: '', needed: false };

/** The parts of a reason: chosen and typed. */
export interface AskedWhy {
  chosen?: string | undefined;
  note?: string | undefined;
}

/** The longest reason in characters. */
const REASON_MAXIMUM = 255;

/** A list of more names may scroll, so it can have the focus. */
const NAMED_IN_SIGHT = 4;

/** The characters of a digest. */
const DIGEST_LENGTH = 32;

/**
 * Digest of the question that the user confirms. If its numbers have changed since, the question is
 * asked again. The choices follow it.
 */
function fingerprintOf({ title, tally = [], named = [], choices }: Confirmation): string {
  const seen = [title, tally.map(({ count }) => count), named.map(({ names }) => names)];
  const digest = sha256Hex(JSON.stringify(seen)).slice(0, DIGEST_LENGTH);
  return choices ? `${digest} ${chosenIn(choices)}` : digest;
}

/** The choices that the user has made. A choice that others make possible has none yet. */
const chosenIn = (choices: readonly QuestionChoice[] = []): string =>
  choices.flatMap(({ value }) => value || []).join(' ');

/** Whether the user has confirmed another question with the same choices. So others have changed the numbers. */
export const wasChangedByOthers = ({ choices }: Confirmation, confirmed: string | undefined): boolean =>
  confirmed !== undefined && confirmed.slice(DIGEST_LENGTH + 1) === chosenIn(choices);

/** Whether an action must wait until the user confirms its current question. */
export const isUnconfirmed = (question: Confirmation, confirmed: string | undefined): boolean =>
  question.needed !== false && (question.yes === null || confirmed !== fingerprintOf(question));

/** The reason as the audit log stores it. */
export function reasonOf(chosen = '', note = ''): string {
  const reason = [chosen, note]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(': ');
  return isStorable(reason) ? reason.slice(0, REASON_MAXIMUM).toWellFormed() : '';
}

/** The page with a question. With scripts, its body appears in a dialog instead. */
export const confirmationView = (
  question: Confirmation,
  action: string,
  values: Typed,
  changed = false,
  why: AskedWhy = {},
): View => ({
  title: question.title,
  body: <Asked question={question} action={action} values={values} changed={changed} why={why} />,
});

const Asked: FC<{
  question: Confirmation;
  action: string;
  values: Typed;
  changed: boolean;
  why: AskedWhy;
}> = ({
  question: {
    tally = [],
    named = [],
    text,
    yes,
    no,
    reasons = [],
    note = true,
    choices = [],
    decision,
    fields = [],
    more,
    ...question
  },
  action,
  values,
  changed,
  why,
}) => {
  const { t, number } = useWords();
  const { path, search } = usePageState();
  // The page keeps its filter. The query of a link to a question has the values of the action instead.
  const to = new URLSearchParams(search).has(CONFIRM) ? path : path + search;
  const own = new Set([
    ...[decision, ...choices, ...fields].map((shown) => shown?.name),
    ...(more?.names ?? []),
  ]);
  return (
    <section class="asked" id="asked">
      {changed && (
        <p class="notice warn" role="alert">
          {t('ask.changed')}
        </p>
      )}
      {tally.length > 0 && (
        <ul class="tally">
          {tally.map(({ count, word, icon, tone }) => (
            <li class={count > 0 && tone ? tone : undefined}>
              <b>{number(count)}</b>{' '}
              <span>
                <Icon name={icon} /> {word}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div class="told">{text}</div>
      <Form<Record<string, unknown>> action={action} to={to} multipart={question.multipart ?? false}>
        {Object.entries(values)
          .filter(([name]) => !own.has(name))
          .flatMap(([name, value]) => [value].flat().map((each) => <Hidden name={name} value={each} />))}
        <Hidden
          name="confirmed"
          value={fingerprintOf({
            ...question,
            ...(choices.length > 0 && { choices }),
            ...{ tally, named, text, yes, no },
          })}
        />
        <div class="parts">
          <div class="part">
            {choices.length > 0 && <Choices choices={choices} look={question.look} />}
            {named.map(({ heading, names, more }) => (
              <>
                <h2>{heading}</h2>
                <ul
                  class="named"
                  aria-label={heading}
                  tabindex={names.length > NAMED_IN_SIGHT ? 0 : undefined}
                >
                  {names.map((name) => (
                    <li>
                      <WithPallets text={name} />
                    </li>
                  ))}
                  {more && <li>{t('ask.more')}</li>}
                </ul>
              </>
            ))}
            {decision && <Radios {...decision} chosen={decision.options[0]?.value} />}
            {reasons.length > 0 && (
              <Radios name="why" label={t('ask.why')} options={reasons} chosen={why.chosen} />
            )}
            {note && (
              <div class="field">
                <label for="why-note">{t(reasons.length > 0 ? 'ask.note' : 'ask.whyOptional')}</label>
                <input
                  id="why-note"
                  name="whyNote"
                  value={why.note}
                  maxlength={REASON_MAXIMUM}
                  autocomplete="off"
                />
              </div>
            )}
          </div>
          {(fields.length > 0 || more) && (
            <div class="part">
              <div class="askedfields">
                <AskedFields fields={fields} values={values} />
              </div>
              {more?.body}
            </div>
          )}
        </div>
        <div class="answers">
          {question.keeps ? (
            <button type="submit" class="button quiet" name="back" value="1" data-back formnovalidate>
              {no}
            </button>
          ) : (
            <a class="button quiet" href={to} data-back>
              {no}
            </a>
          )}
          {yes !== null && (
            <button type="submit" class="button act hold" data-hold>
              <span class="sure">{yes}</span>
              {reasons.length > 0 && <span class="unsure">{t('ask.chooseWhy')}</span>}
            </button>
          )}
        </div>
      </Form>
    </section>
  );
};

/** A link to the question of an action of this page. A script shows it in a dialog. */
export function Ask<A = NoActions>({
  action,
  values = {},
  label,
  quiet,
  class: className,
  children,
}: PropsWithChildren<{
  action: ActionName<NoInfer<A>>;
  values?: Record<string, string>;
  label?: string;
  quiet?: boolean;
  class?: string;
}>) {
  const { path } = usePageState();
  const query = new URLSearchParams({ [CONFIRM]: action, ...values });
  return (
    <a
      class={className ?? (quiet ? 'button quiet' : 'button danger')}
      href={`${path}?${query}`}
      aria-haspopup="dialog"
      aria-label={label}
      data-ask
    >
      {children}
    </a>
  );
}
