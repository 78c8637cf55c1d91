import { sql } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import { text } from '../../../core/http/schema.ts';
import type { Database } from '../../../core/lib/database.ts';
import { parseViews, type ViewRow } from '../../../core/lib/view.ts';
import type { NewSignature } from '../../../dispatch/load/shared/signature-changes.ts';
import {
  POINTS_MAXIMUM,
  SIGNATURE_BOX,
  SIGNER_NAME_LENGTH,
  STROKES_BYTES_MAXIMUM,
  STROKES_MAXIMUM,
} from '../../../dispatch/load/shared/signature-rules.ts';
import { strokesSchema } from '../../../dispatch/load/shared/signature-schema.ts';
import { type SignatureReference, signaturesView } from '../../../dispatch/load/shared/signature-store.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import type { LoadRef } from '../../ui/confirm/confirm-closing.tsx';
import type { Confirmation } from '../../ui/confirm/confirmation.tsx';
import { Field } from '../../ui/form/form.tsx';
import { refuseInWords } from '../../ui/parts/language.ts';
import { askCompletion } from './completion.tsx';
import { Signatures } from './gate-signed.tsx';
import { PhotoButton } from './photo-button.tsx';
import { loadValue } from './rules.ts';

/** The inputs for the signature of a driver. A script draws the lines and writes them as JSON. */
export const signatureShape = {
  signerName: text(0, SIGNER_NAME_LENGTH).optional(),
  strokes: text(0, STROKES_BYTES_MAXIMUM).optional(),
};

interface TypedSignature {
  signerName?: string | undefined;
  strokes?: string | undefined;
}

/**
 * The question before a load is completed at its gate: also with a photo, and the signature of the driver unless the
 * driver has signed.
 */
export async function confirmAtGate(
  at: PageContext,
  load: LoadRef,
  { gate, ...typed }: TypedSignature & { gate: string },
): Promise<Confirmation> {
  const [{ question, name }, signatures] = await Promise.all([
    askCompletion(at, load),
    signaturesOf(at.database, load.uuid),
  ]);
  const hasDriver = signatures.some(({ role }) => role === 'DRIVER');
  const link = `/app/gate/${gate}/sign/${load.uuid}?role=DRIVER`;
  const kinds = question.fields?.some((field) => field.name === 'seal')
    ? (['LOAD', 'SEAL'] as const)
    : (['LOAD'] as const);
  return {
    ...question,
    more: {
      names: hasDriver ? [] : ['signerName', 'strokes'],
      body: (
        <>
          <p class="actions" data-finish>
            {kinds.map((kind) => (
              <PhotoButton kind={kind} thing={loadValue(load)} name={name} />
            ))}
          </p>
          {hasDriver ? (
            <fieldset class="signs">
              <legend>{at.words.t('finish.driver')}</legend>
              <Signatures signatures={signatures} />
            </fieldset>
          ) : (
            <DriverSignature typed={typed} link={link} />
          )}
        </>
      ),
    },
  };
}

/** The latest signature of each role of a load. */
const signaturesOf = async (database: Database, load: string): Promise<readonly SignatureReference[]> => {
  const view = signaturesView(sql`${database.organization}`, sql`${load}`);
  const [signatures] = parseViews(await database.all<ViewRow<typeof view>>(sql`SELECT ${view} AS view`));
  return signatures ?? [];
};

const DriverSignature: FC<{ typed: TypedSignature; link: string }> = ({ typed, link }) => {
  const { t } = useWords();
  return (
    <fieldset class="signs">
      <legend>{t('finish.driver')}</legend>
      <p>{t('statement.DRIVER')}</p>
      <Field name="signerName" label={t('proof.signer')} value={typed.signerName ?? ''} autocomplete="off" />
      <p id="draw" class="draws">
        {t('sign.draw')}
      </p>
      <p class="draws" role="status" data-said />
      <canvas
        role="img"
        aria-labelledby="draw"
        data-width={SIGNATURE_BOX.width}
        data-height={SIGNATURE_BOX.height}
        data-strokes={STROKES_MAXIMUM}
        data-points={POINTS_MAXIMUM}
        data-full={t('unsigned.strokes')}
      />
      <input type="hidden" name="strokes" value={typed.strokes ?? ''} />
      <p class="actions">
        <button type="button" class="button quiet draws" data-clear>
          {t('sign.clear')}
        </button>
        <a class="button quiet" href={link}>
          {t('finish.onPhone')}
        </a>
      </p>
    </fieldset>
  );
};

/**
 * The signature of a driver in the form of a completion, if the driver has signed.
 * @throws 400 with the input, for a name without lines, and for lines without a name or with a wrong form
 */
export function signatureOf(
  words: Words,
  { signerName, strokes }: TypedSignature,
): { signature?: NewSignature } {
  const name = signerName?.trim() ?? '';
  const lines = readLines(strokes);
  if (name === '' && lines === undefined) return {};
  if (lines === undefined) return refuseSignature(words, 'empty');
  if (name === '') return refuseSignature(words, 'name');
  const read = strokesSchema.safeParse(lines);
  if (!read.success) return refuseSignature(words, 'strokes');
  return { signature: { role: 'DRIVER', name, strokes: read.data, signDate: null } };
}

/** The lines of a text. Undefined if nothing was drawn. */
function readLines(strokes = ''): unknown {
  try {
    const lines: unknown = JSON.parse(strokes || '[]');
    return Array.isArray(lines) && lines.length === 0 ? undefined : lines;
  } catch {
    return null;
  }
}

function refuseSignature({ t }: Words, reason: 'empty' | 'name' | 'strokes'): never {
  const message = t(`unsigned.${reason}`);
  return refuseInWords('validationFailed', message, {
    errors: [{ field: 'signerName', code: 'validationFailed', message }],
  });
}
