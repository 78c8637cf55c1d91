import { largest } from '../../../core/lib/extremes.ts';
import type { FieldRole } from '../../../core/writer/settings.ts';
import type { ManifestFact } from '../../../dispatch/load/manifest/rules.ts';
import { namesIn } from '../pallet-list/headings.ts';

/** The purpose of a column of orders. */
export type Meaning = 'ORDER' | 'SHIPMENT' | FieldRole | ManifestFact;

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
