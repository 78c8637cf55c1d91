import { settleStarted } from './rules-idle.ts';
import { type FieldInput, isBlank, move, replaceFields } from './rules-manifest.ts';
import {
  assign,
  attach,
  attachable,
  detach,
  notAttachable,
  type Reference,
  resolve,
} from './rules-members.ts';
import { comeAboard, endLoad, leaveShipment } from './rules-place.ts';
import { raiseShort } from './rules-short.ts';
import {
  assetsOf,
  isOpen,
  type Manifest,
  type Model,
  type Shipment,
  type Signature,
  STATUSES,
  type Status,
} from './state.ts';
import { ANY } from './values.ts';
import { answered, type Item, type Refusal, refused, type Verdict } from './verdict.ts';
import { shipmentView } from './views.ts';

/** The custom fields of the organization's shipments. */
export const SHIPMENT_FIELDS = [
  { fieldKey: 'lane', fieldType: 'TEXT', role: 'VEHICLE' },
  { fieldKey: 'weight', fieldType: 'NUMBER' },
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
];

const TRANSITIONS: Record<Status, Status[]> = {
  PLANNED: [],
  TO_DO: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
};

const missing = () => refused(404, 'shipmentNotFound');
const closed = () => refused(409, 'shipmentClosed');

/** The faults in the custom fields of a shipment. */
const fieldFaults = (fields: FieldInput[]): Item[] =>
  fields.flatMap(({ fieldKey, fieldValue }, index): Item[] => {
    const configured = SHIPMENT_FIELDS.find((field) => field.fieldKey === fieldKey);
    const at = `customFields[${index}]`;
    if (!configured) {
      return [{ field: `${at}.fieldKey`, code: 'customFieldNotConfigured', rejectedValue: fieldKey }];
    }
    if (configured.fieldType === 'TEXT' || isBlank(fieldValue) || Number.isFinite(Number(fieldValue)))
      return [];
    return [{ field: `${at}.fieldValue`, code: 'customFieldNotNumeric', rejectedValue: fieldValue }];
  });

/**
 * The faults of a request that do not depend on the shipment's state. If all have the same code, the refusal has this
 * code.
 */
function faulty(model: Model, input: ShipmentInput, present: string | null): Refusal | null {
  const { identifier, gateIdentifier } = input;
  const errors: Item[] = [
    ...(present !== null && identifier != null && identifier !== present
      ? [{ field: 'identifier', code: 'identifierImmutable', rejectedValue: identifier }]
      : []),
    ...(gateIdentifier && !model.gate(gateIdentifier)
      ? [{ field: 'gateIdentifier', code: 'gateNotFound', rejectedValue: gateIdentifier }]
      : []),
    ...fieldFaults(input.customFields ?? []),
  ];
  const codes = [...new Set(errors.map(({ code }) => code))];
  if (codes.length === 0) return null;
  return { status: 400, codes: codes.length === 1 ? codes : ['validationFailed'], errors };
}

export interface ShipmentInput {
  identifier?: string | null;
  gateIdentifier?: string | null;
  notes?: string | null;
  manifests?: Reference[] | null;
  customFields?: FieldInput[] | null;
}

export function createShipment(model: Model, input: ShipmentInput): Verdict {
  const identifier = input.identifier!;
  if (!input.manifests?.length) return refused(400, 'manifestsEmpty');
  const { manifests, errors } = resolve(model, input.manifests, attachable(null));
  const taken = model.shipments.some(({ id, deleted }) => id === identifier && !deleted);
  const field = { field: 'identifier', code: 'externalIdentifierInUse', rejectedValue: identifier };
  const fault =
    faulty(model, input, null) ??
    (taken ? refused(409, 'externalIdentifierInUse', { errors: [field] }) : null) ??
    (errors.length > 0 ? notAttachable(errors) : null);
  if (fault) return fault;
  const shipment: Shipment = {
    ...model.made(),
    id: identifier,
    status: 'TO_DO',
    gate: model.gate(input.gateIdentifier),
    notes: input.notes ?? null,
    shortReason: null,
    arrived: null,
    driverName: null,
    caught: 0,
    activated: null,
    closed: null,
    fields: new Map(),
    members: [],
    signatures: [],
  };
  model.shipments.push(shipment);
  replaceFields(shipment.fields, input.customFields ?? []);
  for (const manifest of manifests) attach(model, shipment, manifest);
  return answered(shipmentView(shipment), 201);
}

export function signShipment(model: Model, identifier: string, signature: Signature): Verdict {
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  if (shipment.status === 'CANCELLED') return closed();
  if (shipment.signatures.length >= 20) return refused(409, 'signatureLimitReached');
  shipment.signatures.push(signature);
  model.events.push(['SIGNATURE_ADDED', shipment.uuid]);
  shipment.touched = model.now;
  return answered(ANY, 201);
}

export function putShipment(model: Model, identifier: string, input: ShipmentInput): Verdict {
  if (input.manifests?.length === 0) return refused(400, 'manifestsEmpty');
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  const fault = faulty(model, input, shipment.id);
  if (fault) return fault;
  if (!isOpen(shipment)) return closed();
  if (input.gateIdentifier === '' && shipment.status === 'IN_PROGRESS') return refused(400, 'gateRequired');
  const own = (manifest: Manifest) =>
    manifest.shipment === shipment ? null : attachable(shipment)(manifest);
  const { manifests, errors } = input.manifests
    ? resolve(model, input.manifests, own)
    : { manifests: shipment.members, errors: [] };
  if (errors.length > 0) return notAttachable(errors);
  const unwanted = shipment.members.filter((manifest) => !manifests.includes(manifest));
  const wanted = manifests.filter((manifest) => manifest.shipment !== shipment);
  const gate = input.gateIdentifier == null ? shipment.gate : model.gate(input.gateIdentifier);
  for (const manifest of wanted) manifest.shipment = shipment;
  if (shipment.status === 'IN_PROGRESS') comeAboard(model, wanted.flatMap(assetsOf), shipment);
  leaveShipment(model, shipment, unwanted, { gate, coming: wanted });
  for (const manifest of unwanted) detach(model, shipment, manifest);
  if (input.gateIdentifier != null) assign(model, shipment, model.gate(input.gateIdentifier));
  for (const manifest of wanted) attach(model, shipment, manifest);
  if (input.notes != null) shipment.notes = input.notes;
  if (input.customFields) replaceFields(shipment.fields, input.customFields);
  return answered(shipmentView(shipment));
}

export function attachManifests(model: Model, identifier: string, references: Reference[]): Verdict {
  if (references.length === 0) return refused(400, 'manifestsEmpty');
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  if (!isOpen(shipment)) return closed();
  const { manifests, errors } = resolve(model, references, attachable(shipment));
  if (errors.length > 0) return notAttachable(errors);
  for (const manifest of manifests) attach(model, shipment, manifest);
  return answered(shipmentView(shipment));
}

export function detachManifests(model: Model, identifier: string, references: Reference[]): Verdict {
  if (references.length === 0) return refused(400, 'manifestsEmpty');
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  if (!isOpen(shipment)) return closed();
  const { manifests, errors } = resolve(model, references, (manifest) =>
    manifest.shipment === shipment ? null : 'manifestsNotAttached',
  );
  if (errors.length > 0) return refused(409, 'manifestsNotAttached', { errors });
  leaveShipment(model, shipment, manifests);
  for (const manifest of manifests) detach(model, shipment, manifest);
  return answered(shipmentView(shipment));
}

export function assignShipmentGate(model: Model, identifier: string, gateIdentifier: string): Verdict {
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  const gate = model.gate(gateIdentifier);
  if (!gate) return refused(404, 'gateNotFound');
  if (!isOpen(shipment)) return closed();
  assign(model, shipment, gate);
  return answered(shipmentView(shipment));
}

/** The parameters of a change of the status. */
export interface StatusQuery {
  manifests?: string;
  shortReason?: string;
}

/** The faults of the parameters. Each belongs to one status. */
function queryFaults(status: string, { manifests, shortReason }: StatusQuery): Item[] {
  const fault = (field: string, rejectedValue: string): Item => ({
    field,
    code: 'validationFailed',
    rejectedValue,
  });
  if (manifests !== undefined && !['CANCEL', 'RELEASE'].includes(manifests))
    return [fault('manifests', manifests)];
  if (manifests !== undefined && status !== 'CANCELLED') return [fault('manifests', manifests)];
  if (shortReason !== undefined && status !== 'COMPLETED') return [fault('shortReason', shortReason)];
  return [];
}

export function changeShipmentStatus(
  model: Model,
  identifier: string,
  status: string,
  query: StatusQuery = {},
): Verdict {
  const errors = queryFaults(status, query);
  if (!STATUSES.includes(status as Status))
    return errors.some(({ field }) => field === 'manifests') &&
      !['CANCEL', 'RELEASE'].includes(query.manifests!)
      ? refused(400, 'validationFailed')
      : refused(400, 'unknownStatus', { allowedValues: STATUSES });
  if (errors.length > 0) return refused(400, 'validationFailed', { errors });
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  const allowedValues = TRANSITIONS[shipment.status];
  if (!allowedValues.includes(status as Status))
    return refused(400, 'transitionNotAllowed', { allowedValues });
  if (status === 'IN_PROGRESS' && !shipment.gate) return refused(400, 'gateRequired');
  const moving = shipment.members.filter((manifest) => manifest.status !== 'CANCELLED');
  if (status === 'COMPLETED') raiseShort(model, shipment, moving);
  if (status === 'IN_PROGRESS') {
    settleStarted(model, shipment.gate!, moving);
    comeAboard(model, moving.flatMap(assetsOf), shipment);
  }
  if (query.manifests === 'RELEASE') leaveShipment(model, shipment, shipment.members, { ends: true });
  else if (status === 'CANCELLED') endLoad(model, shipment);
  shipment.status = status as Status;
  shipment[status === 'IN_PROGRESS' ? 'activated' : 'closed'] = model.now;
  shipment.touched = model.now;
  if (status === 'COMPLETED') shipment.shortReason = query.shortReason ?? null;
  if (query.manifests === 'RELEASE')
    for (const manifest of shipment.members) detach(model, shipment, manifest);
  for (const manifest of shipment.members) {
    if (manifest.status !== 'CANCELLED') move(model, manifest, shipment.status);
  }
  return answered(undefined, 204);
}

/** The body of an arrival. A field that is left out stays unchanged, except the date. */
export interface ArrivalInput {
  arrivalDate?: string;
  vehicle?: string;
  driverName?: string;
}

export function recordArrival(model: Model, identifier: string, input: ArrivalInput): Verdict {
  const { arrivalDate, vehicle, driverName } = input;
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  if (!isOpen(shipment)) return closed();
  if (arrivalDate !== undefined && Date.parse(arrivalDate) > Date.now())
    return refused(400, 'validationFailed', {
      errors: [{ field: 'arrivalDate', code: 'validationFailed', rejectedValue: arrivalDate }],
    });
  const before = [shipment.arrived, shipment.driverName, shipment.fields.get('lane')];
  shipment.arrived = arrivalDate ?? model.now;
  if (driverName !== undefined) shipment.driverName = driverName.trim() === '' ? null : driverName;
  if (vehicle?.trim() === '') shipment.fields.delete('lane');
  else if (vehicle !== undefined) shipment.fields.set('lane', vehicle);
  const after = [shipment.arrived, shipment.driverName, shipment.fields.get('lane')];
  if (after.some((value, index) => value !== before[index]))
    model.events.push(['SHIPMENT_ARRIVED', shipment.uuid]);
  return answered(shipmentView(shipment));
}

export function deleteShipment(model: Model, identifier: string): Verdict {
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  if (!isOpen(shipment)) return closed();
  leaveShipment(model, shipment, shipment.members, { ends: true });
  for (const manifest of shipment.members) detach(model, shipment, manifest);
  Object.assign(shipment, { deleted: true, touched: model.now });
  return answered(undefined, 204);
}

export function putShipmentField(model: Model, identifier: string, field: FieldInput): Verdict {
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  const [fault] = fieldFaults([field]);
  if (fault) {
    const errors = [{ ...fault, field: fault.field.replace('customFields[0].', '') }];
    return refused(400, fault.code, { errors });
  }
  if (isBlank(field.fieldValue)) shipment.fields.delete(field.fieldKey);
  else shipment.fields.set(field.fieldKey, field.fieldValue!);
  return answered(shipmentView(shipment));
}

export function removeShipmentField(model: Model, identifier: string, fieldKey: string): Verdict {
  const shipment = model.shipment(identifier);
  if (!shipment) return missing();
  if (!shipment.fields.delete(fieldKey)) return refused(404, 'customFieldNotFound');
  return answered(shipmentView(shipment));
}
