import type { Child, FC } from 'hono/jsx';
import { FIELD_ROLES, type OrganizationSettings } from '../../../core/writer/settings.ts';
import { roleKey } from '../../../dispatch/load/shipment/rules.ts';
import { useWords } from '../../../messages/context.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { Checkboxes, Field, Form, Hidden, Submit } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { usePageState } from '../../ui/parts/view.ts';
import type { PLAN_PAGES, StartActions } from './actions.ts';
import type { Started } from './store.ts';

/** A step of the list. Its form or link is shown until it is done. */
interface Step {
  name: string;
  hint: string;
  done: boolean;
  /** Its form or link. Only the first open step has a solid button. */
  next(quiet: boolean): Child;
  /** Whether it has a form, which needs the whole width. */
  wide?: true;
}

/** The proposed number of gates. */
const GATES_PROPOSED = 12;

const plans = ({ dispatchStrategy, shipmentCustomFields: fields }: OrganizationSettings): boolean =>
  dispatchStrategy === 'SHIPMENT' &&
  roleKey(fields, 'PLANNED_DEPARTURE') !== null &&
  roleKey(fields, 'CARRIER') !== null;

/** The steps from an empty organization to the first loaded pallet, in order. */
function stepsOf({ session: { organization }, words: { t } }: PageContext, has: Started): Step[] {
  const { gateUuid } = has;
  const link = (href: string, label: string) => (quiet: boolean) => (
    <a class={quiet ? 'button quiet' : 'button'} href={href}>
      {label}
    </a>
  );
  const atGate = (path: string): string => (gateUuid === null ? '/app/gate' : `/app/gate/${gateUuid}${path}`);
  return [
    {
      name: t('start.gates'),
      hint: t('start.gatesHint'),
      done: gateUuid !== null,
      next: (quiet) => <GatesForm quiet={quiet} />,
      wide: true as const,
    },
    {
      name: t('start.plan'),
      hint: t('start.planHint'),
      done: plans(organization),
      next: (quiet) => <PlanForm returnTo="/app" quiet={quiet} />,
      wide: true as const,
    },
    {
      name: t('start.list'),
      hint: t('start.listHint'),
      done: has.manifestUuid !== null,
      next: link('/app/manifest/new', t('make.manifest')),
    },
    ...(organization.dispatchStrategy === 'SHIPMENT'
      ? [
          {
            name: t('start.shipment'),
            hint: t('start.shipmentHint'),
            done: has.shipments === 1,
            next: link('/app/shipment/new', t('make.shipment')),
          },
        ]
      : []),
    {
      name: t('start.labels'),
      hint: t('start.labelsHint'),
      done: has.markers === 1,
      next: link(
        has.manifestUuid === null ? '/app/printing-batch' : `/app/manifest/${has.manifestUuid}`,
        t('start.toLabels'),
      ),
    },
    {
      name: t('start.tablet'),
      hint: t('start.tabletHint'),
      done: has.tablets === 1,
      next: link(atGate('/tablets'), t('tablet.new')),
    },
    {
      name: t('start.load'),
      hint: t('start.loadHint'),
      done: has.loaded === 1,
      next: link(atGate(''), t('start.toGate')),
    },
  ];
}

/** The steps, or undefined if there is nothing left to set up. */
export function openSteps(at: PageContext, has: Started): Step[] | undefined {
  const steps = stepsOf(at, has);
  return has.inService === 1 || steps.every(({ done }) => done) ? undefined : steps;
}

/** The list of steps. Each is ticked as soon as the organization has its result. */
export const Checklist: FC<{ steps: readonly Step[]; has: Started }> = ({ steps, has }) => {
  const { t } = useWords();
  const first = steps.findIndex(({ done }) => !done);
  return (
    <section class="card start" aria-labelledby="start">
      <header>
        <h2 id="start">{t('start.title')}</h2>
        <p class="hint">
          {t('start.progress', { done: steps.filter(({ done }) => done).length, all: steps.length })}
        </p>
      </header>
      <ol>
        {steps.map(({ name, hint, done, next, wide }, index) => (
          <li class={done ? 'done' : undefined}>
            <Icon name={done ? 'done' : 'free'} />
            <div class={wide ? 'wide' : undefined}>
              <div>
                <h3>
                  {name}
                  <span class="hidden"> {t(done ? 'start.isDone' : 'start.isOpen')}</span>
                </h3>
                {!done && <p class="hint">{hint}</p>}
              </div>
              {!done && next(index !== first)}
            </div>
          </li>
        ))}
      </ol>
      <footer class="actions">
        {has.works === 0 && has.example !== 'WHOLE' && (
          <Ask<StartActions> action="example" quiet>
            {t(has.example === 'PART' ? 'example.continue' : 'example.button')}
          </Ask>
        )}
        <a class="button quiet" href="/app?start=hide">
          {t('start.hide')}
        </a>
      </footer>
    </section>
  );
};

/** The form that creates numbered gates. */
const GatesForm: FC<{ quiet: boolean }> = ({ quiet }) => {
  const { t } = useWords();
  return (
    <Form<StartActions> action="gates" to="/app" class="filters" label={t('start.gates')}>
      <Field name="prefix" label={t('start.prefix')} value={t('start.dock')} />
      <Field name="count" label={t('start.count')} type="number" value={String(GATES_PROPOSED)} />
      <Submit quiet={quiet}>{t('start.createGates')}</Submit>
    </Form>
  );
};

/**
 * The form that lets an organization plan departures and carriers of its shipments. It also switches an organization that
 * dispatches by manifest to shipments.
 */
export const PlanForm: FC<{ returnTo: (typeof PLAN_PAGES)[number]; quiet?: boolean }> = ({
  returnTo,
  quiet = false,
}) => {
  const { t } = useWords();
  const isByShipment = usePageState().session?.organization.dispatchStrategy === 'SHIPMENT';
  return (
    <Form<StartActions> action="plan" to="/app" label={t('start.plan')}>
      <Hidden name="returnTo" value={returnTo} />
      <Checkboxes
        name="roles"
        label={t('start.roles')}
        word={(role: (typeof FIELD_ROLES)[number]) => t(`role.${role}`)}
        values={[...FIELD_ROLES]}
      />
      <Submit quiet={quiet}>{t(isByShipment ? 'made.save' : 'start.planIt')}</Submit>
    </Form>
  );
};
