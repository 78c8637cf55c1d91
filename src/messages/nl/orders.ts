import type { orders as english } from '../en/orders.ts';
import type { Translated } from '../en/translated.ts';

export const orders: Translated<typeof english> = {
  'orders.column': 'Kolom met de orders',
  'orders.oneManifest': 'Geen: één laadlijst',
  'orders.shipmentColumn': 'Kolom met de zendingen',
  'orders.noShipments': 'Geen: zonder zendingen',
  'orders.fieldColumn': 'Kolom: {field}',
  'orders.noField': 'Geen',
  'orders.question': '{manifests, plural, one {# laadlijst} other {# laadlijsten}} aanmaken?',
  'orders.manifests': 'Laadlijsten',
  'orders.shipments': 'Zendingen',
  'orders.existing': 'Bestaan al',
  'orders.existingHint': 'Laadlijsten die al bestaan, worden overgeslagen.',
  'orders.allExist': 'Alle laadlijsten van deze lijst bestaan al. Er wordt niets aangemaakt.',
  'orders.order': '{order}: {count, plural, one {# pallet} other {# pallets}}',
  'orders.planned': 'De laadlijsten worden gepland. Er is nog niets geladen.',
  'orders.noneLeft': 'Er kan geen laadlijst worden aangemaakt. Controleer de kolommen en de foute regels.',
  'orders.idOrColumn': 'Typ de id van de laadlijst, of kies de kolom met de orders.',
  'orders.tooManyDates':
    'De lijst heeft meer dan {most} verschillende datums en tijden. Maak de lijst korter.',
  'orders.tooMany':
    'De lijst heeft {count} orders. Er worden hoogstens {most} laadlijsten tegelijk aangemaakt.',
  'orders.done': 'Gepland: {manifests, plural, one {# laadlijst} other {# laadlijsten}}.',
  'orders.doneShipments':
    'Gepland: {manifests, plural, one {# laadlijst} other {# laadlijsten}}, {shipments, plural, one {# zending} other {# zendingen}}.',
  'orders.better':
    'Deze kolom bevat geen SSCC, maar kolom {number} wel. Kies kolom {number} voor de pallets.',
  'orders.firstRows': 'Eerste rijen',
  'orders.isOrder': 'Order',
  'orders.isShipment': 'Zending',
  'orders.fieldsNeed':
    'Vervoerder, vertrek en andere velden worden alleen gelezen met een kolom met zendingen.',
  'orders.drop': 'Bestand importeren',
  'orders.dropHere': 'Laat het bestand hier los om een voorbeeld te zien.',
  'orders.idHint': 'Laat leeg als de lijst een kolom met orders heeft. Elke order wordt dan een laadlijst.',
  'orders.several': 'Kolom {number} bevat {count} orders. Alle pallets komen in één laadlijst.',
  'orders.look': 'Voorbeeld van deze kolommen',
  'column.PLANNED_DEPARTURE': 'Vertrek',
  'column.CARRIER': 'Vervoerder',
  'column.VEHICLE': 'Voertuig',
  'column.SEAL': 'Zegel',
  'line.noOrder': 'De regel noemt geen order.',
  'line.badOrder': 'De id van de order is te lang of bevat tekens die niet kunnen worden opgeslagen.',
  'line.badShipment': 'De id van de zending is te lang of bevat tekens die niet kunnen worden opgeslagen.',
  'line.otherShipment': 'Order {order} heeft in regel {line} een andere zending.',
  'line.otherValue': '{field} wijkt af van regel {line} van dezelfde zending.',
  'line.shipmentExists': 'Zending {shipment} bestaat al.',
  'moment.none': '{field} is geen datum met tijd.',
  'moment.noTime': '{field} heeft geen tijd.',
  'moment.ambiguous': '{field} is onduidelijk: dag en maand zijn te verwisselen. Schrijf het jaar eerst.',
  'line.badValue': '{field} kan niet worden opgeslagen.',
};
