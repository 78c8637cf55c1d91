import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** What scripts say. */
export const scripts: Translated<typeof english> = {
  'when.late': 'seit {distance} verspätet',
  'when.in': 'in {distance}',
  'when.ago': 'vor {distance}',
  'when.now': 'jetzt',
  'when.days': '{count, plural, one {# Tag} other {# Tagen}}',
  'when.hours': '{hours} Std.',
  'when.hoursMinutes': '{hours} Std. {minutes}',
  'when.minutes': '{minutes} Min.',
  'dialog.back': 'Zurück',
  'dialog.offline':
    'Keine Verbindung. Was sich nicht rückgängig machen lässt, wird gefragt, sobald sie wieder da ist.',
  'live.live': 'Live',
  'live.not': 'Nicht live',
  'live.polling': 'Nicht live. Stand {time}',
  'live.lost': 'Keine Verbindung. Stand {time}',
  'live.unsure':
    'Es ist nicht bekannt, ob das geschehen ist. Drücken Sie noch einmal: Es geschieht nur einmal.',
  'tablet.offline': 'Offline',
  'tablet.takenBack': 'Zurückgenommen',
  'tablet.loaded': 'Geladen',
  'tablet.first': 'Erst muss gesendet werden, was wartet',
  'tablet.onList': 'Auf der Liste, wartet',
  'tablet.waiting': 'Wartet auf das Senden',
  'tablet.undo': 'Zurück',
  'tablet.waits': '{count, plural, one {# wartet auf diesem Tablet.} other {# warten auf diesem Tablet.}}',
  'tablet.plus': '+ {count, number} {count, plural, one {wartet} other {warten}}',
  'tablet.signedOut': 'Sie sind abgemeldet: Laden Sie neu und melden Sie sich an, dann wird alles gesendet.',
  'tablet.noAnswer': 'Der Dienst antwortet noch nicht: Alles wird gesendet, bis er antwortet.',
  'tablet.keepScanning':
    'Scannen Sie weiter: Alles wird einmal gesendet, sobald die Verbindung da ist. Keine Verbindung seit {since}.',
  'tablet.mayNot': 'Dazu haben Sie kein Recht.',
  'tablet.soundOn': 'Ton an',
  'tablet.soundOff': 'Ton aus',
  'tablet.tapForSound': 'Für Ton tippen',
  'camera.starting': 'Kamera startet…',
  'camera.point': 'Richten Sie die Kamera auf einen Marker oder ein Etikett.',
  'camera.none': 'Keine Kamera: Erlauben Sie sie für diese Seite, oder tippen Sie die Nummer unten ein.',
  'camera.unreadable': 'Das Bild ist nicht lesbar: {error}',
  'board.soundOn': 'Ton: an',
  'board.soundOff': 'Ton: aus',
  'board.wakeOn': 'Wach bleiben: an',
  'board.wakeOff': 'Wach bleiben: aus',
  'wall.page': 'Seite {page, number} von {pages, number}',
};
