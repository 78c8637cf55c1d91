import { isoDate } from '../../core/lib/time.ts';
import { SIGNATURE_BOX, type Stroke } from '../../dispatch/signature/rules.ts';
import { useWords } from '../../messages/context.ts';
import { GivenText } from './public-page.tsx';
import type { Summary } from './read-load.ts';

/** The points of a line as a path. A line to its own beginning is a dot. */
const pathOf = (stroke: Stroke): string => {
  const [first, ...rest] = stroke.map((point) => point.map((length) => Math.round(length)).join(' '));
  return `M${first}L${(rest.length > 0 ? rest : [first]).join(' ')}`;
};

/** The latest signature of each role. Renders nothing without signatures. */
export const Signatures = ({ summary: { signatures = [] }, zone }: { summary: Summary; zone: string }) => {
  const { t, time } = useWords();
  const latest = signatures.filter(
    ({ role }, index) => !signatures.slice(index + 1).some((later) => later.role === role),
  );
  if (latest.length === 0) return null;
  return (
    <section aria-labelledby="signatures">
      <h2 id="signatures">{t('page.signatures')}</h2>
      <ul class="signatures">
        {latest.map(({ role, name, signDate, strokes }) => (
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
          </li>
        ))}
      </ul>
    </section>
  );
};
