import type { orders as english } from '../en/orders.ts';
import type { Translated } from '../en/translated.ts';

export const orders: Translated<typeof english> = {
  'orders.column': 'Colonna degli ordini',
  'orders.oneManifest': 'Nessuna: una lista di carico',
  'orders.shipmentColumn': 'Colonna delle spedizioni',
  'orders.noShipments': 'Nessuna: senza spedizioni',
  'orders.fieldColumn': 'Colonna: {field}',
  'orders.noField': 'Nessuna',
  'orders.question': 'Creare {manifests, plural, one {# lista di carico} other {# liste di carico}}?',
  'orders.manifests': 'Liste di carico',
  'orders.shipments': 'Spedizioni',
  'orders.existing': 'Esistono già',
  'orders.existingHint': 'Le liste di carico che esistono già vengono saltate.',
  'orders.allExist': 'Tutte le liste di carico esistono già. Non verrà creato nulla.',
  'orders.order': '{order}: {count, plural, one {# pallet} other {# pallet}}',
  'orders.planned': 'Le liste di carico saranno pianificate. Non è ancora caricato nulla.',
  'orders.noneLeft': 'Non si può creare alcuna lista di carico. Controlla le colonne e le righe errate.',
  'orders.idOrColumn': 'Scrivi l’id della lista di carico o scegli la colonna degli ordini.',
  'orders.tooManyDates': 'La lista ha più di {most} date e ore diverse. Accorciala.',
  'orders.tooMany': 'La lista ha {count} ordini. Si creano al massimo {most} liste di carico alla volta.',
  'orders.done':
    '{manifests, plural, one {Pianificata: # lista di carico} other {Pianificate: # liste di carico}}.',
  'orders.doneShipments':
    '{manifests, plural, one {Pianificata: # lista di carico} other {Pianificate: # liste di carico}}, {shipments, plural, one {# spedizione} other {# spedizioni}}.',
  'orders.better':
    'Questa colonna non contiene alcun SSCC, ma la colonna {number} sì. Scegli la colonna {number} per i pallet.',
  'orders.firstRows': 'Prime righe',
  'orders.isOrder': 'Ordine',
  'orders.isShipment': 'Spedizione',
  'orders.fieldsNeed': 'Vettore, partenza e altri campi si leggono solo con una colonna delle spedizioni.',
  'orders.drop': 'Importa un file',
  'orders.dropHere': 'Rilascia qui il file per vedere l’anteprima.',
  'orders.idHint':
    'Lascialo vuoto se la lista ha una colonna degli ordini. Ogni ordine diventa una lista di carico.',
  'orders.several':
    'La colonna {number} contiene {count} ordini. Tutti i pallet andranno in una sola lista di carico.',
  'orders.look': 'Anteprima delle colonne',
  'column.PLANNED_DEPARTURE': 'Partenza',
  'column.CARRIER': 'Vettore',
  'column.VEHICLE': 'Veicolo',
  'column.SEAL': 'Sigillo',
  'line.noOrder': 'La riga non indica alcun ordine.',
  'line.badOrder': 'L’id dell’ordine è troppo lungo o contiene caratteri che non si possono salvare.',
  'line.badShipment': 'L’id della spedizione è troppo lungo o contiene caratteri che non si possono salvare.',
  'line.otherShipment': 'L’ordine {order} ha un’altra spedizione nella riga {line}.',
  'line.otherValue': '{field} è diverso dalla riga {line} della stessa spedizione.',
  'line.shipmentExists': 'La spedizione {shipment} esiste già.',
  'moment.none': '{field} non è una data con ora.',
  'moment.noTime': '{field} non ha l’ora.',
  'moment.ambiguous': '{field} non è chiaro: giorno e mese si possono confondere. Scrivi prima l’anno.',
  'line.badValue': '{field} non si può salvare.',
};
