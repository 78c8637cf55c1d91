import type { FC } from 'hono/jsx';
import type { PhotoKind } from '../../../dispatch/photo/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { Icon } from '../../ui/parts/icons.tsx';
import { type BoardLoad, loadValue } from './rules.ts';

/** A button that takes a photo of a pallet or a load. Only the script of a gate page shows it. */
export const PhotoButton: FC<{ kind: PhotoKind; name: string; record?: string; thing?: string }> = ({
  kind,
  name,
  record,
  thing,
}) => {
  const { t, labelled } = useWords();
  const label = t(`takes.${kind}`);
  return (
    <button
      type="button"
      class="button quiet"
      data-photo={kind}
      data-of={record}
      data-thing={thing}
      data-name={name}
      aria-label={labelled(label, name)}
    >
      <Icon name="camera" /> {label}
    </button>
  );
};

/** The buttons for photos of a load in progress. */
export const LoadPhotos: FC<{ load: BoardLoad }> = ({ load }) =>
  (['LOAD', 'SEAL', 'OTHER'] as const).map((kind) => (
    <PhotoButton kind={kind} thing={loadValue(load)} name={load.externalIdentifier} />
  ));
