import { z } from '@hono/zod-openapi';
import type { Child, FC } from 'hono/jsx';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import { pickerText } from '../../../../core/lib/zone.ts';
import { firstArrival, recordArrival } from '../../../../dispatch/load/shipment/lifecycle-commands.ts';
import type { presentShipment } from '../../../../dispatch/load/shipment/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { distanceIn } from '../../../../messages/duration.ts';
import type { Words } from '../../../../messages/words.ts';
import { creationOf, eventTime } from '../../../../pallet/device-time.ts';
import { readTypedDate } from '../../../../pallet/typed-date.ts';
import { type ActionContext, action } from '../../../ui/confirm/action.ts';
import { ActionButton, Field, Form, Submit } from '../../../ui/form/form.tsx';
import { faultText } from '../../../ui/form/typed-fields.ts';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { refuseInWords } from '../../../ui/parts/language.ts';
import { Time } from '../../../ui/parts/time.tsx';
import { useZone } from '../../../ui/parts/view.ts';
import { Fact, Pencil } from '../load/facts.tsx';

type ShownShipment = ReturnType<typeof presentShipment>;

const changeForm = z.object({ arrivalDate: text(1, 100), driverName: text(0, 255) });

/** The actions of the arrival: the button *Truck is here*, and the pencil that changes it. */
export const arrivalActions = {
  arrive: action('operate', z.object({}), async ({ c, words, submission }, { uuid }: ByUuid) => {
    await write(c, submission, recordArrival, firstArrival(uuid));
    return { done: words.t('done.arrived') };
  }),
  changeArrival: action('operate', changeForm, async (at, { uuid }: ByUuid, { arrivalDate, driverName }) => {
    await write(at.c, at.submission, recordArrival, {
      identifier: uuid,
      arrivalDate: readDate(at, uuid, arrivalDate),
      vehicle: null,
      driverName,
    });
    return { done: at.words.t('done.arrived') };
  }),
};

const FAULTS = { FUTURE: 'load.future', TOO_EARLY: 'load.tooEarly' } as const;

/** @throws 400 for a text that is no date, or a date that cannot be the arrival for this shipment */
function readDate({ session, words }: ActionContext, shipmentUuid: string, typed: string): number {
  const now = Date.now();
  const read = readTypedDate(typed, { zone: session.organization.timeZone, now });
  if ('fault' in read) return refuseDate(typed, faultText(words, read.fault));
  const time = eventTime(read.at, now, creationOf(shipmentUuid, now));
  return typeof time === 'number' ? time : refuseDate(typed, words.t(FAULTS[time]));
}

function refuseDate(rejectedValue: string, message: string): never {
  const error = { field: 'arrivalDate', code: 'validationFailed' as const, message };
  return refuseInWords(error.code, message, { status: 400, errors: [{ ...error, rejectedValue }] });
}

/** When the truck arrived, and how long it stayed. An open shipment without an arrival has the button. */
export function arrivalFacts(
  words: Words,
  { arrivalDate, driverName, closeDate, status }: ShownShipment,
  mayChange: boolean,
): [string, Child][] {
  const { t } = words;
  const label = t('driver.arrived');
  if (arrivalDate === null) {
    return mayChange
      ? [
          [
            label,
            <ActionButton<Actions> action="arrive" quiet>
              {t('gate.truckHere')}
            </ActionButton>,
          ],
        ]
      : [];
  }
  const shown = (
    <>
      <Time at={arrivalDate} />
      {driverName !== null && <div>{driverName}</div>}
    </>
  );
  const fact: [string, Child] = [
    label,
    <Fact shown={shown}>
      {mayChange && <ArrivalPencil label={label} at={arrivalDate} driverName={driverName} />}
    </Fact>,
  ];
  if (status !== 'COMPLETED' || closeDate === null) return [fact];
  return [fact, [t('page.dwell'), distanceIn(words, Date.parse(closeDate) - Date.parse(arrivalDate))]];
}

type Actions = typeof arrivalActions;

const ArrivalPencil: FC<{ label: string; at: string; driverName: string | null }> = ({
  label,
  at,
  driverName,
}) => {
  const { t } = useWords();
  return (
    <Pencil label={label} of={{ action: 'changeArrival' }}>
      <Form<Actions> action="changeArrival">
        <Field
          name="arrivalDate"
          label={label}
          type="datetime-local"
          value={pickerText(useZone(), Date.parse(at))}
        />
        <Field name="driverName" label={t('changed.driverName')} value={driverName ?? ''} />
        <Submit>{t('field.save')}</Submit>
      </Form>
    </Pencil>
  );
};
