import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import {
  changesSince,
  SIGNATURE_BOX,
  type SignedFacts,
  type Stroke,
} from '../../dispatch/load/shared/signature-rules.ts';
import type { SignatureReference } from '../../dispatch/load/shared/signature-store.ts';
import { useWords } from '../../messages/context.ts';
import { signedFactsOf } from './proof-data.ts';
import { GivenText } from './public-page.tsx';
import type { Summary } from './read-load.ts';
import { signedTexts } from './signed-words.ts';

/** The points of a line as a path. A line to its own beginning is a dot. */
const pathOf = (stroke: Stroke): string => {
  const [first, ...rest] = stroke.map((point) => point.map((length) => Math.round(length)).join(' '));
  return `M${first}L${(rest.length > 0 ? rest : [first]).join(' ')}`;
};

const factsShown = (facts: SignedFacts) => ({
  ...facts,
  plannedDepartureDate: isoDateOrNull(facts.plannedDepartureDate),
});

type Signed = SignatureReference & { strokes: Stroke[] };

/** The latest signature of each role, with the load that it was given for. Renders nothing without signatures. */
export const Signatures = ({ summary, zone }: { summary: Summary; zone: string }) => {
  const words = useWords();
  const { t, time } = words;
  const { signatures = [] } = summary;
  const now = signedFactsOf(summary);
  const latest = signatures.filter(
    ({ role }, index) => !signatures.slice(index + 1).some((later) => later.role === role),
  );
  if (latest.length === 0) return null;
  const coveredBy = (signedFor: SignedFacts): string[] =>
    signedTexts(
      words,
      { signedFor: factsShown(signedFor), changedSince: changesSince(signedFor, now) },
      factsShown(now),
      (date) => time(zone, Date.parse(date)),
    );
  return (
    <section aria-labelledby="signatures">
      <h2 id="signatures">{t('page.signatures')}</h2>
      <SignatureList
        of={latest.map((signature) => ({ ...signature, covered: coveredBy(signature.signedFor) }))}
        zone={zone}
      />
    </section>
  );
};

/** Signatures with their lines. `covered`: sentences about the load that a signature was given for. */
export const SignatureList = ({
  of,
  zone,
}: {
  of: readonly (Signed & { covered?: readonly string[] })[];
  zone: string;
}) => {
  const { t, time } = useWords();
  return (
    <ul class="signatures">
      {of.map(({ role, name, signDate, strokes, covered = [] }) => (
        <li>
          <svg viewBox={`0 0 ${SIGNATURE_BOX.width} ${SIGNATURE_BOX.height}`} aria-hidden="true">
            <path d={strokes.map(pathOf).join('')} />
          </svg>
          <p>
            {t(`signer.${role}`)}
            <br />
            <strong>
              <GivenText>{name}</GivenText>
            </strong>
            <br />
            <time datetime={isoDate(signDate)}>{time(zone, signDate)}</time>
          </p>
          {covered.map((text) => (
            <p class="covered">{text}</p>
          ))}
        </li>
      ))}
    </ul>
  );
};
