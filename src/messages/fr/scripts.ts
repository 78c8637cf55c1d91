import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts. */
export const scripts: Translated<typeof english> = {
  'when.late': '{distance} de retard',
  'when.in': 'dans {distance}',
  'when.ago': 'il y a {distance}',
  'when.now': 'maintenant',
  'when.days': '{count, plural, one {# jour} other {# jours}}',
  'when.inDays': 'dans {count, plural, one {# jour} other {# jours}}',
  'when.daysAgo': 'il y a {count, plural, one {# jour} other {# jours}}',
  'when.daysLate': '{count, plural, one {# jour} other {# jours}} de retard',
  'when.hours': '{hours} h',
  'when.hoursMinutes': '{hours} h {minutes} min',
  'when.minutes': '{minutes} min',
  'when.seconds': '{seconds} s',
  'text.labelled': '{label} : {value}',
  'text.series': '{first} ; {next}',
  'dialog.back': 'Retour',
  'dialog.offline': 'Pas de connexion. Les actions irréversibles seront possibles au retour de la connexion.',
  'dialog.hold': 'Maintenez le bouton jusqu’à ce qu’il soit plein.',
  'dialog.unsure':
    'Le service n’a pas confirmé cette action. Appuyez de nouveau. Elle ne sera pas faite deux fois.',
  'live.live': 'En direct',
  'live.not': 'Pas en direct',
  'live.polling': 'Pas en direct. État à {time}',
  'live.lost': 'Pas de connexion. État à {time}',
  'live.unsure':
    'Le service n’a pas confirmé cette action. Appuyez de nouveau. Elle ne sera pas faite deux fois.',
  'tablet.offline': 'Hors ligne',
  'tablet.takenBack': 'Annulé',
  'tablet.loaded': 'Chargée',
  'tablet.first': 'Envoyez d’abord les actions en attente',
  'tablet.onList': 'Sur la liste, en attente',
  'tablet.notListed': 'Pas sur cette liste : mettez-la de côté',
  'tablet.ending': 'Palettes de la liste qui se terminent par {text}.',
  'tablet.unchecked': 'Impossible à vérifier sans connexion',
  'tablet.again': 'Déjà chargée',
  'tablet.startFirst': 'Appuyez d’abord sur « Commencer »',
  'tablet.glued': 'Plusieurs palettes dans une lecture : {pallets}. Scannez-les de nouveau, une par une.',
  'tablet.noEnter': 'Appuyez sur Entrée.',
  'tablet.setEnter': 'Réglez le scanner pour qu’il envoie Entrée après chaque lecture.',
  'tablet.waiting': 'En attente d’envoi',
  'tablet.undo': 'Annuler',
  'tablet.waits': '{count, plural, one {# action attend} other {# actions attendent}} sur cette tablette.',
  'tablet.plus': '+ {count, number} en attente',
  'tablet.signedOut':
    'Vous êtes déconnecté. Rechargez la page et connectez-vous pour envoyer les actions en attente.',
  'tablet.noAnswer':
    'Le service ne répond pas. Les actions restent sur cette tablette et sont renvoyées automatiquement.',
  'tablet.keepScanning': 'État à {time}. Continuez à scanner. Tout est envoyé au retour de la connexion.',
  'tablet.sayWho': 'Scannez d’abord votre badge ou saisissez votre code PIN',
  'tablet.worksHere': '{name} travaille ici maintenant.',
  'tablet.nobodyHere': 'Personne ne travaille ici pour le moment.',
  'tablet.badgeFirst':
    'C’est une palette. {asks, select, PIN {Saisissez d’abord votre code PIN} other {Scannez d’abord votre badge}}.',
  'tablet.unknownBadge':
    'Cette tablette ne connaît pas le badge. Un nouveau badge a d’abord besoin d’une connexion.',
  'tablet.pinOffline':
    'Un code PIN ne peut être vérifié qu’avec une connexion. Les palettes scannées sont conservées jusque-là.',
  'tablet.somebody': 'quelqu’un d’autre',
  'tablet.ofOthers':
    '{count, plural, one {# action non envoyée} other {# actions non envoyées}} de {who}. {count, plural, one {Elle sera envoyée} other {Elles seront envoyées}} quand {who} travaillera de nouveau ici.',
  'tablet.sendMine': 'Envoyer sous mon nom',
  'tablet.discard': 'Supprimer',
  'tablet.discardMany': 'Supprimer {count, number}',
  'tablet.askSend':
    'Envoyer sous votre nom {count, plural, one {l’action non envoyée} other {les # actions non envoyées}} de {who} ?',
  'tablet.askDiscard':
    'Supprimer {count, plural, one {l’action non envoyée} other {les # actions non envoyées}} de {who} ?',
  'tablet.leave': 'Retour',
  'tablet.more': 'et d’autres',
  'tablet.sendTold':
    'Le journal d’audit indiquera votre nom. Les lectures que le service a déjà reçues ne comptent pas deux fois.',
  'tablet.discardTold':
    'Ces actions seront supprimées et ne seront enregistrées nulle part. Vérifiez si les palettes sont dans le camion. C’est irréversible.',
  'tablet.did.start': 'Début du chargement',
  'tablet.did.resolve': 'Alerte traitée',
  'tablet.did.remove': 'Descendue du camion',
  'tablet.did.assign': 'Amenée à un quai',
  'tablet.did.damage': 'Endommagée',
  'tablet.did.comment': 'Commentaire',
  'tablet.isPallet': 'C’est une palette. Scannez ou saisissez : {field}.',
  'tablet.loadMissing': 'Charger {pallet}',
  'tablet.photoWaits':
    '{count, plural, one {# photo attend sur cette tablette.} many {# photos attendent sur cette tablette.} other {# photos attendent sur cette tablette.}}',
  'tablet.photoTaken': 'Photo prise',
  'tablet.photoFull':
    'Cette tablette ne peut plus garder de photos. Envoyez d’abord {count, plural, one {la photo en attente} many {les # photos en attente} other {les # photos en attente}}.',
  'tablet.photoUnreadable': 'Cette image est illisible. Prenez une photo.',
  'tablet.photoRefused': 'La photo a été refusée ({name}) : {reason}',
  'tablet.photoDiscard': 'Supprimer la photo',
  'tablet.photoUnstored':
    'Cette tablette ne peut pas enregistrer de photos. Laissez cette page ouverte jusqu’à l’envoi de la photo.',
  'tablet.photoFirst': 'Attendez d’abord l’envoi de la photo.',
  'tablet.photoOf': 'Photo de {name}',
  'tablet.mayNot': 'Vous n’avez pas l’autorisation nécessaire. Adressez-vous à un administrateur.',
  'tablet.soundOn': 'Son activé',
  'tablet.soundOff': 'Son coupé',
  'tablet.tapForSound': 'Activer le son',
  'camera.starting': 'Démarrage de la caméra…',
  'camera.loading': 'Pas encore de connexion. La caméra démarrera avec la connexion…',
  'camera.point': 'Visez un marqueur ou une étiquette.',
  'camera.none': 'Aucune caméra disponible. Autorisez-la pour cette page, ou saisissez le numéro ci-dessous.',
  'camera.unreadable': 'L’image est illisible : {error}',
  'revoked.left':
    '{count, plural, one {# action n’a pas été envoyée et reste} other {# actions n’ont pas été envoyées et restent}} sur cet appareil. Associez de nouveau l’appareil, ou connectez-vous ici. Ouvrez ensuite la page du quai pour {count, plural, one {l’envoyer ou la supprimer} other {les envoyer ou les supprimer}}.',
};
