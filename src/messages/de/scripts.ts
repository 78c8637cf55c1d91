import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts. */
export const scripts: Translated<typeof english> = {
  'when.late': '{distance} Verspätung',
  'when.in': 'in {distance}',
  'when.ago': 'vor {distance}',
  'when.now': 'jetzt',
  'when.days': '{count, plural, one {# Tag} other {# Tage}}',
  'when.inDays': 'in {count, plural, one {# Tag} other {# Tagen}}',
  'when.daysAgo': 'vor {count, plural, one {# Tag} other {# Tagen}}',
  'when.daysLate': '{count, plural, one {# Tag} other {# Tage}} Verspätung',
  'when.hours': '{hours} Std.',
  'when.hoursMinutes': '{hours} Std. {minutes} Min.',
  'when.minutes': '{minutes} Min.',
  'dialog.back': 'Zurück',
  'dialog.offline':
    'Keine Verbindung. Was sich nicht rückgängig machen lässt, wird gefragt, sobald sie wieder da ist.',
  'dialog.hold': 'Halten Sie die Taste gedrückt, bis sie voll ist.',
  'dialog.unsure':
    'Es ist nicht bekannt, ob das geschehen ist. Drücken Sie noch einmal: Es geschieht nur einmal.',
  'live.live': 'Live',
  'live.not': 'Nicht live',
  'live.polling': 'Nicht live. Stand {time}',
  'live.lost': 'Keine Verbindung. Stand {time}',
  'live.unsure':
    'Es ist nicht bekannt, ob das geschehen ist. Drücken Sie noch einmal: Es geschieht nur einmal.',
  'tablet.offline': 'Offline',
  'tablet.takenBack': 'Rückgängig gemacht',
  'tablet.loaded': 'Geladen',
  'tablet.first': 'Erst muss gesendet werden, was wartet',
  'tablet.onList': 'Auf der Liste, wartet',
  'tablet.notListed': 'Nicht auf dieser Liste: beiseitestellen',
  'tablet.unchecked': 'Ohne Verbindung nicht prüfbar',
  'tablet.again': 'Schon geladen',
  'tablet.waiting': 'Wartet auf das Senden',
  'tablet.undo': 'Rückgängig',
  'tablet.waits': '{count, plural, one {# wartet auf diesem Tablet.} other {# warten auf diesem Tablet.}}',
  'tablet.plus': '+ {count, number} {count, plural, one {wartet} other {warten}}',
  'tablet.signedOut': 'Sie sind abgemeldet: Laden Sie neu und melden Sie sich an, dann wird alles gesendet.',
  'tablet.noAnswer': 'Der Dienst antwortet noch nicht: Alles wird gesendet, bis er antwortet.',
  'tablet.keepScanning':
    'Stand {time}. Scannen Sie weiter. Alles wird gesendet, sobald die Verbindung wieder da ist.',
  'tablet.sayWho': 'Zuerst sagen, wer hier arbeitet',
  'tablet.badgeFirst':
    'Das ist eine Palette. Zuerst {asks, select, PIN {die PIN eingeben} other {den Ausweis scannen}}.',
  'tablet.somebody': 'jemand anderem',
  'tablet.ofOthers':
    '{count, plural, one {# nicht gesendete Eingabe} other {# nicht gesendete Eingaben}} von {who}. Sie {count, plural, one {wird} other {werden}} gesendet, wenn {who} wieder hier arbeitet.',
  'tablet.sendMine': 'In meinem Namen senden',
  'tablet.discard': 'Verwerfen',
  'tablet.discardMany': '{count, number} verwerfen',
  'tablet.askSend':
    '{count, plural, one {Was von {who} wartet} other {Die # von {who}}} in Ihrem Namen senden?',
  'tablet.askDiscard': '{count, plural, one {Was von {who} wartet} other {Die # von {who}}} verwerfen?',
  'tablet.leave': 'So lassen',
  'tablet.more': 'und weitere',
  'tablet.sendTold':
    'Im Protokoll steht dann, dass Sie es getan haben. Was schon angekommen ist, zählt trotzdem nur einmal.',
  'tablet.discardTold':
    'Diese Vorgänge werden gelöscht und nirgends festgehalten. Prüfen Sie, ob die Paletten auf dem Lkw sind. Das lässt sich nicht rückgängig machen.',
  'tablet.did.start': 'Beginn',
  'tablet.did.resolve': 'Meldung erledigt',
  'tablet.did.remove': 'Vom Lkw genommen',
  'tablet.did.assign': 'An ein Tor gebracht',
  'tablet.did.damage': 'Beschädigt',
  'tablet.did.comment': 'Kommentar',
  'tablet.isPallet': 'Das ist eine Palette. Hier gehört hin: {field}.',
  'tablet.photoWaits':
    '{count, plural, one {# Foto wartet auf diesem Tablet.} other {# Fotos warten auf diesem Tablet.}}',
  'tablet.photoTaken': 'Foto aufgenommen',
  'tablet.photoFull':
    'Auf dieses Tablet passen keine weiteren Fotos. Erst {count, plural, one {das wartende Foto} other {die # wartenden Fotos}} senden.',
  'tablet.photoUnreadable': 'Dieses Bild ist nicht lesbar. Bitte ein Foto aufnehmen.',
  'tablet.photoRefused': 'Das Foto wurde abgelehnt ({name}): {reason}',
  'tablet.photoDiscard': 'Foto verwerfen',
  'tablet.photoUnstored':
    'Dieses Tablet kann keine Fotos speichern. Diese Seite offen lassen, bis das Foto gesendet ist.',
  'tablet.photoFirst': 'Erst warten, bis das Foto gesendet ist.',
  'tablet.photoOf': 'Foto von {name}',
  'tablet.mayNot': 'Dazu haben Sie kein Recht. Fragen Sie einen Administrator.',
  'tablet.soundOn': 'Ton an',
  'tablet.soundOff': 'Ton aus',
  'tablet.tapForSound': 'Für Ton tippen',
  'camera.starting': 'Kamera startet …',
  'camera.loading': 'Noch keine Verbindung. Die Kamera startet, sobald sie da ist …',
  'camera.point': 'Richten Sie die Kamera auf einen Marker oder ein Etikett.',
  'camera.none': 'Keine Kamera: Erlauben Sie sie für diese Seite, oder tippen Sie die Nummer unten ein.',
  'camera.unreadable': 'Das Bild ist nicht lesbar: {error}',
  'revoked.left':
    '{count, plural, one {# Scan oder Eingabe wurde} other {# Scans und Eingaben wurden}} nicht gesendet und bleiben auf diesem Gerät. Koppeln Sie das Gerät neu, oder melden Sie sich hier an. Senden oder verwerfen Sie sie dann auf der Seite des Tors.',
};
