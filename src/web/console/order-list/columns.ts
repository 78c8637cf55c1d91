import { largest } from '../../../core/lib/extremes.ts';
import type { FieldRole, OrganizationSettings, ShipmentCustomField } from '../../../core/writer/settings.ts';
import { eachFact, type ManifestFact } from '../../../dispatch/load/manifest/rules.ts';
import { namesIn } from '../pallet-list/headings.ts';
import type { PalletList } from '../pallet-list/read.ts';

/** The purpose of a column of orders. */
type Meaning = 'ORDER' | 'SHIPMENT' | FieldRole | ManifestFact;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Names of these columns in headings, in the eight languages, without accents and in lower case. */
const NAMES: Readonly<Record<Meaning, ReadonlySet<string>>> = {
  ORDER: setOf(
    `order orders orderno salesorder delivery deliverynote manifest auftrag auftrags auftrage kundenauftrag bestellung
     bestel bestell lieferung liefer lieferschein lieferauftrag beleg ladeliste pedido pedidos albaran entrega orden
     commande commandes livraison bl bordereau ordine ordini consegna ddt bolla bestelling levering leverbon pakbon
     zamowienie zamowienia zlecenie zlecenia dostawa wz encomenda encomendas guia remessa nota`,
  ),
  SHIPMENT: setOf(
    `shipment shipments load trip route tour touren sendung sendungs transport ladung fahrt lkwnummer envio envios viaje
     cargamento expedition expeditions voyage tournee spedizione spedizioni viaggio zending zendingen rit ritten wysylka
     przesylka kurs expedicao viagem`,
  ),
  CARRIER: setOf(
    `carrier haulier hauler forwarder shipper shipvia spedition spediteur frachtfuhrer transporteur transportunternehmen
     transportista agencia vettore corriere trasportatore vervoerder przewoznik spedytor spedycja transportadora
     transportador`,
  ),
  PLANNED_DEPARTURE: setOf(
    `departure departs etd abfahrt abfahrts abfahrtszeit abholung abholzeit pickup depart depart heuredepart salida
     partenza vertrek vertrektijd wyjazd odjazd partida saida`,
  ),
  VEHICLE: setOf(
    `vehicle truck trailer lkw kennzeichen fahrzeug matricula vehiculo camion vehicule immatriculation targa veicolo
     kenteken voertuig pojazd rejestracyjny rejestracja ciezarowka veiculo camiao`,
  ),
  priority: setOf(
    `priority urgency urgent prio prioritat dringlichkeit prioridad urgencia priorite urgence priorita urgenza prioriteit
     spoed priorytet pilnosc prioridade`,
  ),
  SEAL: setOf('seal plombe plomben siegel precinto scelle plomb sigillo piombo zegel plomba selo lacre'),
};
/** Words beside such a name that say that the column contains something else. */
const OTHERS = setOf(
  `pos position line item zeile ligne riga regel linea pozycja linha artikel article qty quantity menge anzahl cantidad
   quantite quantita aantal ilosc quantidade status type typ tipo value price preis gate tor weight gewicht peso poids
   customer kunde client cliente klant klient name address adresse country land`,
);
const TIMES = setOf(
  `date datum fecha data day tag time zeit uhrzeit hora heure ora tijd godzina dzien dia jour giorno dag termin`,
);
/** A shorter name may be part of any word. */
const PART_LENGTH_MINIMUM = 5;

/**
 * How surely a heading names a column of this kind. It is 3 for a name alone, 2 for a name beside other words, and 1 for
 * a name at the end of a compound word. It is 0 for another heading.
 */
export function certaintyOf(heading: string, meaning: Meaning): number {
  const names = NAMES[meaning];
  const isTime = meaning === 'PLANNED_DEPARTURE';
  // A departure would become the name of a truck.
  if (meaning === 'SHIPMENT' && certaintyOf(heading, 'PLANNED_DEPARTURE') > 0) return 0;
  const certainties = namesIn(heading).map((words) => {
    const own = isTime ? words.filter((word) => !TIMES.has(word)) : words;
    if (own.length === 0) return 0;
    if (own.some((word) => OTHERS.has(word) || (!isTime && TIMES.has(word)))) return 0;
    if (names.has(own.join('')) || own.every((word) => names.has(word))) return 3;
    if (own.some((word) => names.has(word))) return 2;
    return own.some((word) => [...names].some((name) => isEndOf(word, name))) ? 1 : 0;
  });
  return Math.max(0, largest(certainties));
}

const isEndOf = (word: string, name: string): boolean =>
  name.length >= PART_LENGTH_MINIMUM && word.endsWith(name);

/** The choice that no column has such values. */
export const NO_COLUMN = 'none';
/** The maximum number of custom fields of shipments that a list can fill. */
export const FIELDS_MAXIMUM = 12;

export type Settings = Pick<OrganizationSettings, 'dispatchStrategy' | 'shipmentCustomFields' | 'timeZone'>;

/** The choices of the user by the name of the input: the number of a column, `NO_COLUMN`, or '' for no choice. */
interface ChosenColumns {
  orderColumn: string;
  shipmentColumn: string;
  /** By the name of the fact. */
  facts: Readonly<Partial<Record<ManifestFact, string>>>;
  /** By the key of the custom field. */
  fields: Readonly<Record<string, string>>;
}

/** The columns of a list of orders, by number from 1. */
export interface OrderColumns {
  order: number | undefined;
  shipment: number | undefined;
  facts: Readonly<Record<ManifestFact, number | undefined>>;
  fields: { field: ShipmentCustomField; column: number | undefined }[];
}

/** The custom fields that a list can fill: first those with a role. */
export const fieldsOf = ({ dispatchStrategy, shipmentCustomFields }: Settings): ShipmentCustomField[] =>
  dispatchStrategy === 'SHIPMENT'
    ? shipmentCustomFields
        .toSorted((one, other) => Number(other.role !== null) - Number(one.role !== null))
        .slice(0, FIELDS_MAXIMUM)
    : [];

/**
 * The columns of the orders, the shipments and their custom fields. A column that the user has chosen counts. Any other
 * is found by its heading, and the column of the orders also by its content. A column is found for one purpose only.
 */
export function orderColumns(list: PalletList, settings: Settings, chosen: ChosenColumns): OrderColumns {
  const used = new Set([Number(list.taken)]);
  const choices = [chosen.facts, chosen.fields].flatMap((some) => Object.values(some));
  for (const choice of [chosen.orderColumn, chosen.shipmentColumn, ...choices]) used.add(Number(choice));
  const filled = list.columns.filter(({ number }) => valuesOf(list, number).length > 0);
  const pick = (choice: string, certainty: (heading: string) => number): number | undefined => {
    if (choice === NO_COLUMN) return undefined;
    if (choice !== '') return columnNumber(choice);
    const [best] = filled
      .filter(({ number }) => !used.has(number))
      .map(({ number, heading }) => ({ number, certainty: certainty(heading) }))
      .filter(({ certainty }) => certainty > 0)
      .toSorted((one, other) => other.certainty - one.certainty);
    if (best) used.add(best.number);
    return best?.number;
  };
  const order = pick(chosen.orderColumn, (heading) => certaintyOf(heading, 'ORDER'));
  const isByShipment = settings.dispatchStrategy === 'SHIPMENT';
  const shipment = isByShipment
    ? pick(chosen.shipmentColumn, (heading) => certaintyOf(heading, 'SHIPMENT'))
    : undefined;
  const facts = eachFact<OrderColumns['facts']>((_, name) =>
    pick(chosen.facts[name] ?? '', (heading) => certaintyOf(heading, name)),
  );
  const fields = fieldsOf(settings).map((field) => ({
    field,
    column: pick(chosen.fields[field.fieldKey] ?? '', (heading) => certaintyOfField(heading, field)),
  }));
  return {
    order: order ?? (chosen.orderColumn === '' ? repeating(list, used) : undefined),
    shipment,
    facts,
    fields,
  };
}

/** The number of a column that a form names; undefined for other texts. */
const columnNumber = (text: string): number | undefined =>
  /^[1-9]\d{0,2}$/.test(text) ? Number(text) : undefined;

/** A heading with the key of the field is certain. */
function certaintyOfField(heading: string, { fieldKey, role }: ShipmentCustomField): number {
  const [own, key] = [heading, fieldKey].map((text) => namesIn(text)[1]?.join(''));
  if (own !== undefined && own !== '' && own === key) return 4;
  return role === null ? 0 : certaintyOf(heading, role);
}

/** The texts of a column in the lines with pallets. */
const valuesOf = ({ good }: PalletList, number: number): string[] =>
  good.map(({ cells }) => cells[number - 1]?.trim() ?? '').filter((value) => value !== '');

/** A text that may be the id of an order: with a digit, not a small or decimal number, a date or a sentence. */
const isOrderLike = (text: string): boolean =>
  /\d/.test(text) &&
  text.length <= 40 &&
  !/\s\S+\s|^\d{1,3}$|^-?\d+[.,]\d+$|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b|^\d{1,2}:\d\d|E\+\d/i.test(text);

/**
 * The column of the orders by its content: ids that stay the same over several lines and change at least once. Undefined
 * unless exactly one column is like this.
 */
function repeating(list: PalletList, used: ReadonlySet<number>): number | undefined {
  const likely = list.columns.filter(({ number }) => {
    const values = valuesOf(list, number);
    const count = new Set(values).size;
    const changes = values.filter((value, at) => at > 0 && value !== values[at - 1]).length;
    const isGrouped = count >= 2 && count <= values.length / 2 && changes === count - 1;
    return !used.has(number) && values.length === list.good.length && isGrouped && values.every(isOrderLike);
  });
  return likely.length === 1 ? likely[0]!.number : undefined;
}
