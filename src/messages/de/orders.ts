import type { orders as english } from '../en/orders.ts';
import type { Translated } from '../en/translated.ts';

export const orders: Translated<typeof english> = {
  'orders.column': 'Spalte mit den Aufträgen',
  'orders.oneManifest': 'Keine: eine Ladeliste',
  'orders.shipmentColumn': 'Spalte mit den Sendungen',
  'orders.noShipments': 'Keine: keine Sendungen',
  'orders.fieldColumn': 'Spalte: {field}',
  'orders.noField': 'Keine',
  'orders.question': '{manifests, plural, one {# Ladeliste} other {# Ladelisten}} anlegen?',
  'orders.manifests': 'Ladelisten',
  'orders.shipments': 'Sendungen',
  'orders.existing': 'Schon vorhanden',
  'orders.existingHint': 'Vorhandene Ladelisten werden ausgelassen.',
  'orders.allExist': 'Alle Ladelisten dieser Liste sind schon vorhanden. Es wird nichts angelegt.',
  'orders.order': '{order}: {count, plural, one {# Palette} other {# Paletten}}',
  'orders.planned': 'Die Ladelisten werden geplant. Noch ist nichts geladen.',
  'orders.noneLeft':
    'Keine Ladeliste kann angelegt werden. Prüfen Sie die Spalten und die fehlerhaften Zeilen.',
  'orders.idOrColumn':
    'Geben Sie die Nummer der Ladeliste ein, oder wählen Sie die Spalte mit den Aufträgen.',
  'orders.tooManyDates': 'Die Liste hat mehr als {most} verschiedene Zeitangaben. Kürzen Sie sie.',
  'orders.tooMany': 'Die Liste hat {count} Aufträge. Höchstens {most} Ladelisten werden zugleich angelegt.',
  'orders.done': 'Geplant: {manifests, plural, one {# Ladeliste} other {# Ladelisten}}.',
  'orders.doneShipments':
    'Geplant: {manifests, plural, one {# Ladeliste} other {# Ladelisten}}, {shipments, plural, one {# Sendung} other {# Sendungen}}.',
  'orders.better':
    'Diese Spalte enthält keine SSCC, Spalte {number} aber schon. Wählen Sie Spalte {number} für die Paletten.',
  'orders.firstRows': 'Erste Zeilen',
  'orders.isOrder': 'Auftrag',
  'orders.isShipment': 'Sendung',
  'orders.fieldsNeed':
    'Spedition, Abfahrt und andere Felder werden nur gelesen, wenn es eine Spalte mit Sendungen gibt.',
  'orders.drop': 'Datei importieren',
  'orders.dropHere': 'Datei hier ablegen, um eine Vorschau zu sehen.',
  'orders.idHint':
    'Leer lassen, wenn die Liste eine Spalte mit Aufträgen hat. Jeder Auftrag wird dann eine Ladeliste.',
  'orders.several': 'Spalte {number} enthält {count} Aufträge. Alle Paletten kommen in eine Ladeliste.',
  'orders.look': 'Vorschau dieser Spalten',
  'column.PLANNED_DEPARTURE': 'Abfahrt',
  'column.CARRIER': 'Spedition',
  'column.VEHICLE': 'Fahrzeug',
  'column.SEAL': 'Plombe',
  'line.noOrder': 'In der Zeile steht kein Auftrag.',
  'line.badOrder':
    'Die Auftragsnummer ist zu lang oder enthält Zeichen, die nicht gespeichert werden können.',
  'line.badShipment':
    'Die Sendungsnummer ist zu lang oder enthält Zeichen, die nicht gespeichert werden können.',
  'line.otherShipment': 'Auftrag {order} hat in Zeile {line} eine andere Sendung.',
  'line.otherValue': '{field} weicht von Zeile {line} derselben Sendung ab.',
  'line.shipmentExists': 'Sendung {shipment} ist schon vorhanden.',
  'moment.none': '{field} ist kein Datum mit Uhrzeit.',
  'moment.noTime': '{field} hat keine Uhrzeit.',
  'moment.ambiguous': '{field} ist unklar: Tag und Monat sind verwechselbar. Schreiben Sie das Jahr zuerst.',
  'line.badValue': '{field} kann nicht gespeichert werden.',
};
