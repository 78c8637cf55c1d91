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
  'when.seconds': '{seconds} Sek.',
  'text.labelled': '{label}: {value}',
  'text.series': '{first}; {next}',
  'dialog.back': 'Zurück',
  'dialog.offline':
    'Keine Verbindung. Was sich nicht rückgängig machen lässt, geht erst wieder mit Verbindung.',
  'dialog.hold': 'Halten Sie die Taste gedrückt, bis sie voll ist.',
  'dialog.unsure':
    'Der Dienst hat diese Aktion nicht bestätigt. Drücken Sie noch einmal. Sie wird nicht doppelt ausgeführt.',
  'live.live': 'Live',
  'live.not': 'Nicht live',
  'live.polling': 'Nicht live. Stand {time}',
  'live.lost': 'Keine Verbindung. Stand {time}',
  'live.unsure':
    'Der Dienst hat diese Aktion nicht bestätigt. Drücken Sie noch einmal. Sie wird nicht doppelt ausgeführt.',
  'tablet.offline': 'Offline',
  'tablet.takenBack': 'Rückgängig gemacht',
  'tablet.loaded': 'Geladen',
  'tablet.first': 'Erst die wartenden Eingaben senden',
  'tablet.onList': 'Auf der Liste, wartet',
  'tablet.notListed': 'Nicht auf dieser Liste: beiseitestellen',
  'tablet.ending': 'Paletten der Liste, die auf {text} enden.',
  'tablet.unchecked': 'Ohne Verbindung nicht prüfbar',
  'tablet.again': 'Schon geladen',
  'tablet.startFirst': 'Drücken Sie zuerst „Starten“',
  'tablet.glued': 'Mehrere Paletten in einem Scan: {pallets}. Scannen Sie jede noch einmal.',
  'tablet.noEnter': 'Drücken Sie Enter.',
  'tablet.setEnter': 'Stellen Sie den Scanner so ein, dass er nach jedem Scan Enter sendet.',
  'tablet.waiting': 'Wartet auf das Senden',
  'tablet.undo': 'Rückgängig',
  'tablet.waits':
    '{count, plural, one {# Eingabe wartet auf diesem Tablet.} other {# Eingaben warten auf diesem Tablet.}}',
  'tablet.plus': '+ {count, number} {count, plural, one {wartet} other {warten}}',
  'tablet.signedOut':
    'Sie sind abgemeldet. Laden Sie die Seite neu und melden Sie sich an, um die wartenden Eingaben zu senden.',
  'tablet.noAnswer':
    'Der Dienst antwortet nicht. Die Eingaben bleiben auf diesem Tablet und werden automatisch erneut gesendet.',
  'tablet.keepScanning':
    'Stand {time}. Scannen Sie weiter. Alles wird gesendet, sobald die Verbindung wieder da ist.',
  'tablet.sayWho': 'Zuerst den Ausweis scannen oder die PIN eingeben',
  'tablet.worksHere': '{name} arbeitet jetzt hier.',
  'tablet.nobodyHere': 'Jetzt arbeitet hier niemand.',
  'tablet.badgeFirst':
    'Das ist eine Palette. Zuerst {asks, select, PIN {die PIN eingeben} other {den Ausweis scannen}}.',
  'tablet.unknownBadge':
    'Das Tablet kennt diesen Ausweis nicht. Ein neuer Ausweis braucht zuerst eine Verbindung.',
  'tablet.pinOffline':
    'Eine PIN kann nur mit Verbindung geprüft werden. Gescannte Paletten bleiben bis dahin gespeichert.',
  'tablet.somebody': 'jemand anders',
  'tablet.ofOthers':
    '{count, plural, one {# nicht gesendete Eingabe} other {# nicht gesendete Eingaben}} ({who}). Sie {count, plural, one {wird} other {werden}} gesendet, wenn {who} wieder hier arbeitet.',
  'tablet.sendMine': 'In meinem Namen senden',
  'tablet.discard': 'Verwerfen',
  'tablet.discardMany': '{count, number} verwerfen',
  'tablet.askSend':
    '{count, plural, one {Die nicht gesendete Eingabe} other {Die # nicht gesendeten Eingaben}} ({who}) in Ihrem Namen senden?',
  'tablet.askDiscard':
    '{count, plural, one {Die nicht gesendete Eingabe} other {Die # nicht gesendeten Eingaben}} ({who}) verwerfen?',
  'tablet.leave': 'Zurück',
  'tablet.more': 'und weitere',
  'tablet.sendTold':
    'Im Protokoll steht dann Ihr Name. Scans, die der Dienst schon hat, zählen nicht doppelt.',
  'tablet.discardTold':
    'Diese Eingaben werden gelöscht und nirgends festgehalten. Prüfen Sie, ob die Paletten auf dem Lkw sind. Das lässt sich nicht rückgängig machen.',
  'tablet.did.start': 'Gestartet',
  'tablet.did.resolve': 'Meldung erledigt',
  'tablet.did.remove': 'Vom Lkw genommen',
  'tablet.did.assign': 'An ein Tor gebracht',
  'tablet.did.damage': 'Beschädigt',
  'tablet.did.comment': 'Kommentar',
  'tablet.isPallet': 'Das ist eine Palette. Scannen oder tippen Sie: {field}.',
  'tablet.loadMissing': '{pallet} laden',
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
  'camera.none':
    'Keine Kamera verfügbar. Erlauben Sie sie für diese Seite, oder tippen Sie die Nummer unten ein.',
  'camera.unreadable': 'Das Bild ist nicht lesbar: {error}',
  'revoked.left':
    '{count, plural, one {# Eingabe wurde nicht gesendet und bleibt} other {# Eingaben wurden nicht gesendet und bleiben}} auf diesem Gerät. Koppeln Sie das Gerät neu, oder melden Sie sich hier an. Öffnen Sie dann die Seite des Tors, um {count, plural, one {die Eingabe} other {die Eingaben}} zu senden oder zu verwerfen.',
};
