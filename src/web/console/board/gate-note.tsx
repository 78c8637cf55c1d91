import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Form, Hidden, Submit, TextArea } from '../../ui/form/form.tsx';
import { usePageState } from '../../ui/parts/view.ts';
import type { GateActions } from './actions.ts';
import type { GatePage } from './gate-store.ts';
import { PhotoButton } from './photo-button.tsx';
import type { BoardPallet } from './rules.ts';

/** The actions about a pallet that have a form with a comment. */
export const NOTES = ['damage', 'comment'] as const;
type Note = (typeof NOTES)[number];

/** The form that the URL names, and the loading record that it is about. */
export interface NoteAsked {
  note?: Note | undefined;
  of?: string | undefined;
}

/**
 * The links of a row to the forms about damage and comments, and the button for a photo. A script opens the form in a
 * dialog.
 */
export const NoteLinks: FC<{ pallet: BoardPallet }> = ({ pallet: { recordUuid, wmsId } }) => {
  const { t, labelled } = useWords();
  return (
    <>
      {NOTES.map((note) => (
        <a
          class="button quiet"
          href={`?${new URLSearchParams({ note, of: recordUuid })}`}
          data-note={note}
          aria-label={labelled(t(`note.${note}`), wmsId)}
        >
          {t(`note.${note}`)}
        </a>
      ))}
      <PhotoButton kind="DAMAGE" record={recordUuid} name={wmsId} />
    </>
  );
};

/**
 * The forms about damage and comments, once for all rows. Scripts take them from templates. Without scripts, the URL
 * names the form and the pallet.
 */
export const NoteForms: FC<{ page: GatePage; asked: NoteAsked }> = ({
  page: { open, loaded, found = [] },
  asked: { note, of },
}) => {
  const pallet = note && [...found, ...open, ...loaded].find(({ recordUuid }) => recordUuid === of);
  return (
    <>
      {NOTES.map((one) => (
        <template id={`note-${one}`}>
          <NoteForm note={one} />
        </template>
      ))}
      {note && pallet && <NoteForm note={note} pallet={pallet} />}
    </>
  );
};

/** A form for a dialog, which has its own heading; or for a pallet, with the heading. */
const NoteForm: FC<{ note: Note; pallet?: BoardPallet }> = ({ note, pallet }) => {
  const { t, labelled } = useWords();
  const { path } = usePageState();
  return (
    <section class="asked" id={pallet ? 'note' : 'asked'}>
      {pallet && <h2>{labelled(t(`note.${note}`), pallet.wmsId)}</h2>}
      <Form<GateActions> action={note}>
        <Hidden name="record" value={pallet?.recordUuid ?? ''} />
        <TextArea name="comment" label={t(note === 'damage' ? 'note.whatIsDamaged' : 'note.comment')} />
        <div class="answers">
          <a class="button quiet" href={path} data-back>
            {t('note.back')}
          </a>
          <Submit>{t(`note.${note}Yes`)}</Submit>
        </div>
      </Form>
    </section>
  );
};
