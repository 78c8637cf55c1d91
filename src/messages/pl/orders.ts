import type { orders as english } from '../en/orders.ts';
import type { Translated } from '../en/translated.ts';

export const orders: Translated<typeof english> = {
  'orders.column': 'Kolumna z zamówieniami',
  'orders.oneManifest': 'Brak: jedna lista załadunkowa',
  'orders.shipmentColumn': 'Kolumna z wysyłkami',
  'orders.noShipments': 'Brak: bez wysyłek',
  'orders.fieldColumn': 'Kolumna: {field}',
  'orders.noField': 'Brak',
  'orders.question':
    'Utworzyć {manifests, plural, one {# listę załadunkową} few {# listy załadunkowe} many {# list załadunkowych} other {# list załadunkowych}}?',
  'orders.manifests': 'Listy załadunkowe',
  'orders.shipments': 'Wysyłki',
  'orders.existing': 'Już istnieją',
  'orders.existingHint': 'Istniejące listy załadunkowe zostaną pominięte.',
  'orders.allExist': 'Wszystkie listy załadunkowe z tej listy już istnieją. Nic nie zostanie utworzone.',
  'orders.order': '{order}: {count, plural, one {# paleta} few {# palety} many {# palet} other {# palet}}',
  'orders.planned': 'Listy załadunkowe będą zaplanowane. Nic nie jest jeszcze załadowane.',
  'orders.noneLeft': 'Nie można utworzyć żadnej listy załadunkowej. Sprawdź kolumny i błędne wiersze.',
  'orders.idOrColumn': 'Wpisz identyfikator listy załadunkowej albo wybierz kolumnę z zamówieniami.',
  'orders.tooManyDates': 'Lista ma więcej niż {most} różnych dat i godzin. Skróć ją.',
  'orders.tooMany':
    'Liczba zamówień na liście: {count}. Naraz można utworzyć najwyżej {most} list załadunkowych.',
  'orders.done':
    'Zaplanowano: {manifests, plural, one {# lista załadunkowa} few {# listy załadunkowe} many {# list załadunkowych} other {# list załadunkowych}}.',
  'orders.doneShipments':
    'Zaplanowano: {manifests, plural, one {# lista załadunkowa} few {# listy załadunkowe} many {# list załadunkowych} other {# list załadunkowych}}, {shipments, plural, one {# wysyłka} few {# wysyłki} many {# wysyłek} other {# wysyłek}}.',
  'orders.better':
    'Ta kolumna nie zawiera żadnego SSCC, ale kolumna {number} zawiera. Wybierz kolumnę {number} dla palet.',
  'orders.firstRows': 'Pierwsze wiersze',
  'orders.isOrder': 'Zamówienie',
  'orders.isShipment': 'Wysyłka',
  'orders.fieldsNeed': 'Przewoźnik, odjazd i inne pola są czytane tylko z kolumną wysyłek.',
  'orders.drop': 'Importuj plik',
  'orders.dropHere': 'Upuść plik tutaj, aby zobaczyć podgląd.',
  'orders.idHint':
    'Zostaw puste, jeśli lista ma kolumnę z zamówieniami. Każde zamówienie stanie się listą załadunkową.',
  'orders.several':
    'Liczba zamówień w kolumnie {number}: {count}. Wszystkie palety trafią na jedną listę załadunkową.',
  'orders.look': 'Pokaż te kolumny',
  'column.PLANNED_DEPARTURE': 'Odjazd',
  'column.CARRIER': 'Przewoźnik',
  'column.VEHICLE': 'Pojazd',
  'column.SEAL': 'Plomba',
  'line.noOrder': 'W wierszu nie ma zamówienia.',
  'line.badOrder': 'Identyfikator zamówienia jest za długi albo zawiera znaki, których nie można zapisać.',
  'line.badShipment': 'Identyfikator wysyłki jest za długi albo zawiera znaki, których nie można zapisać.',
  'line.otherShipment': 'Zamówienie {order} ma inną wysyłkę w wierszu {line}.',
  'line.otherValue': 'Pole {field} różni się od wiersza {line} tej samej wysyłki.',
  'line.shipmentExists': 'Wysyłka {shipment} już istnieje.',
  'moment.none': 'Pole {field} nie jest datą z godziną.',
  'moment.noTime': 'Pole {field} nie ma godziny.',
  'moment.ambiguous': 'Pole {field} jest niejednoznaczne: można pomylić dzień i miesiąc. Najpierw wpisz rok.',
  'line.badValue': 'Nie można zapisać pola {field}.',
};
