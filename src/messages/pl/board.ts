import type { board as english } from '../en/board.ts';
import type { Translated } from '../en/translated.ts';

export const board: Translated<typeof english> = {
  'board.gates': 'Bramy',
  'board.wall': 'Ekran ścienny',
  'board.byState': 'Bramy według stanu',
  'board.none': 'Nie ma bram.',
  'board.createGates': 'Utwórz bramy',
  'board.limit': 'Tablica pokazuje bramy: {count, number}.',
  'board.all': 'Wszystkie bramy',
  'board.assignTo': 'Przydziel: {gate}',
  'board.assign': 'Przydziel',
  'board.assignGate': 'Przydziel bramę',
  'board.what': 'Co przydzielić',
  'board.gate': 'Brama',
  'board.moreActive': 'i jeszcze {count, number} w toku',
  'board.moreWaiting':
    '{count, plural, one {i jeszcze # czeka} few {i jeszcze # czekają} many {i jeszcze # czeka} other {i jeszcze # czeka}}',
  'board.next': 'Następnie',
  'board.moreCount': 'i jeszcze {count, number}',
  'board.listFirst': 'Lista pokazuje pierwsze: {count, number}.',
  'board.noPallets': 'brak palet',
  'wall.time': 'Godzina',
  'wall.load': 'Ładunek',
  'wall.state': 'Stan',
  'wall.loaded': 'Załadowane',
  'wall.wrongGates':
    '{count, plural, one {brama} few {bramy} many {bram} other {bramy}} z niewłaściwą paletą',
  'wall.waiting': '{count, plural, one {ładunek} few {ładunki} many {ładunków} other {ładunku}} bez bramy',
  'wall.orMore': '{count, number} lub więcej',
  'wall.limit': 'Pokazano pierwsze bramy: {count, number}.',
  'wall.wrongCount':
    '{count, plural, one {# niewłaściwa paleta} few {# niewłaściwe palety} many {# niewłaściwych palet} other {# niewłaściwej palety}}',
};
