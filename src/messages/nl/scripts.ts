import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts. */
export const scripts: Translated<typeof english> = {
  'when.late': '{distance} te laat',
  'when.in': 'over {distance}',
  'when.ago': '{distance} geleden',
  'when.now': 'nu',
  'when.days': '{count, plural, one {# dag} other {# dagen}}',
  'when.inDays': 'over {count, plural, one {# dag} other {# dagen}}',
  'when.daysAgo': '{count, plural, one {# dag} other {# dagen}} geleden',
  'when.daysLate': '{count, plural, one {# dag} other {# dagen}} te laat',
  'when.hours': '{hours} u',
  'when.hoursMinutes': '{hours} u {minutes} min',
  'when.minutes': '{minutes} min',
  'when.seconds': '{seconds} s',
  'text.labelled': '{label}: {value}',
  'text.series': '{first}; {next}',
  'dialog.back': 'Terug',
  'dialog.offline':
    'Geen verbinding. Acties die niet ongedaan kunnen worden gemaakt, zijn weer mogelijk zodra de verbinding terug is.',
  'dialog.hold': 'Houd de knop ingedrukt tot hij vol is.',
  'dialog.unsure':
    'De dienst heeft deze actie niet bevestigd. Druk nog een keer. De actie wordt niet dubbel gedaan.',
  'live.live': 'Live',
  'live.not': 'Niet live',
  'live.polling': 'Niet live. Stand van {time}',
  'live.lost': 'Geen verbinding. Stand van {time}',
  'live.unsure':
    'De dienst heeft deze actie niet bevestigd. Druk nog een keer. De actie wordt niet dubbel gedaan.',
  'tablet.offline': 'Offline',
  'tablet.takenBack': 'Ongedaan gemaakt',
  'tablet.loaded': 'Geladen',
  'tablet.first': 'Verstuur eerst de wachtende acties',
  'tablet.onList': 'Op de lijst, wacht',
  'tablet.notListed': 'Niet op deze lijst: zet hem apart',
  'tablet.ending': 'Pallets op de lijst die op {text} eindigen.',
  'tablet.unchecked': 'Kan zonder verbinding niet worden gecontroleerd',
  'tablet.again': 'Al geladen',
  'tablet.startFirst': 'Druk eerst op “Starten”',
  'tablet.glued': 'Meerdere pallets in één scan: {pallets}. Scan ze opnieuw, één voor één.',
  'tablet.noEnter': 'Druk op Enter.',
  'tablet.setEnter': 'Stel de scanner zo in dat hij na elke scan Enter stuurt.',
  'tablet.waiting': 'Nog niet verstuurd',
  'tablet.undo': 'Ongedaan maken',
  'tablet.waits':
    '{count, plural, one {# actie wacht op deze tablet.} other {# acties wachten op deze tablet.}}',
  'tablet.plus': '+ {count, number} wachtend',
  'tablet.signedOut':
    'U bent afgemeld. Laad de pagina opnieuw en meld u aan om de wachtende acties te versturen.',
  'tablet.noAnswer':
    'De dienst reageert niet. De acties blijven op deze tablet en worden automatisch opnieuw verstuurd.',
  'tablet.keepScanning': 'Stand van {time}. Scan verder. Alles wordt verstuurd zodra de verbinding terug is.',
  'tablet.sayWho': 'Scan eerst uw badge of voer uw pincode in',
  'tablet.worksHere': '{name} werkt hier nu.',
  'tablet.nobodyHere': 'Er werkt hier nu niemand.',
  'tablet.badgeFirst':
    'Dat is een pallet. {asks, select, PIN {Voer eerst uw pincode in} other {Scan eerst uw badge}}.',
  'tablet.unknownBadge': 'Deze tablet kent de badge niet. Een nieuwe badge heeft eerst een verbinding nodig.',
  'tablet.pinOffline':
    'Een pincode kan alleen met verbinding worden gecontroleerd. Gescande pallets blijven tot dan bewaard.',
  'tablet.somebody': 'iemand anders',
  'tablet.ofOthers':
    '{count, plural, one {# niet verstuurde actie} other {# niet verstuurde acties}} van {who}. {count, plural, one {Deze wordt} other {Deze worden}} verstuurd zodra {who} hier weer werkt.',
  'tablet.sendMine': 'Versturen op mijn naam',
  'tablet.discard': 'Weggooien',
  'tablet.discardMany': '{count, number} weggooien',
  'tablet.askSend':
    '{count, plural, one {De niet verstuurde actie} other {De # niet verstuurde acties}} van {who} op uw naam versturen?',
  'tablet.askDiscard':
    '{count, plural, one {De niet verstuurde actie} other {De # niet verstuurde acties}} van {who} weggooien?',
  'tablet.leave': 'Terug',
  'tablet.more': 'en meer',
  'tablet.sendTold':
    'In het auditlogboek komt uw naam te staan. Scans die de dienst al heeft, tellen niet dubbel.',
  'tablet.discardTold':
    'Deze acties worden verwijderd en nergens vastgelegd. Controleer of de pallets in de vrachtwagen staan. Dit kan niet ongedaan worden gemaakt.',
  'tablet.did.start': 'Gestart',
  'tablet.did.resolve': 'Melding opgelost',
  'tablet.did.remove': 'Uit de vrachtwagen',
  'tablet.did.assign': 'Aan een dock toegewezen',
  'tablet.did.damage': 'Beschadigd',
  'tablet.did.comment': 'Opmerking',
  'tablet.isPallet': 'Dat is een pallet. Scan of typ: {field}.',
  'tablet.loadMissing': '{pallet} laden',
  'tablet.photoWaits':
    '{count, plural, one {# foto wacht op deze tablet.} other {# foto’s wachten op deze tablet.}}',
  'tablet.photoTaken': 'Foto gemaakt',
  'tablet.photoFull':
    'Op deze tablet passen geen foto’s meer. Verstuur eerst {count, plural, one {de wachtende foto} other {de # wachtende foto’s}}.',
  'tablet.photoUnreadable': 'Deze afbeelding kan niet worden gelezen. Maak een foto.',
  'tablet.photoRefused': 'De foto is geweigerd ({name}): {reason}',
  'tablet.photoDiscard': 'Foto weggooien',
  'tablet.photoUnstored':
    'Deze tablet kan geen foto’s opslaan. Houd deze pagina open tot de foto is verstuurd.',
  'tablet.photoFirst': 'Wacht eerst tot de foto is verstuurd.',
  'tablet.photoOf': 'Foto van {name}',
  'tablet.mayNot': 'U mag dit niet doen. Vraag een beheerder.',
  'tablet.soundOn': 'Geluid aan',
  'tablet.soundOff': 'Geluid uit',
  'tablet.tapForSound': 'Tik voor geluid',
  'camera.starting': 'Camera wordt gestart…',
  'camera.loading': 'Nog geen verbinding. De camera start zodra er verbinding is…',
  'camera.point': 'Richt de camera op een marker of een etiket.',
  'camera.none':
    'Er is geen camera beschikbaar. Geef deze pagina toegang tot de camera, of typ het nummer hieronder.',
  'camera.unreadable': 'Het beeld kan niet worden gelezen: {error}',
  'revoked.left':
    '{count, plural, one {# actie is niet verstuurd en blijft} other {# acties zijn niet verstuurd en blijven}} op dit apparaat. Koppel het apparaat opnieuw, of meld u hier aan. Open daarna de pagina van het dock om {count, plural, one {de actie} other {de acties}} te versturen of weg te gooien.',
};
