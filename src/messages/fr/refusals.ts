import type { refusals as english } from '../en/refusals.ts';
import type { Translated } from '../en/translated.ts';

/** Why something was refused. */
export const refusals: Translated<typeof english> = {
  'refused.title': 'L’action n’a pas été effectuée',
  'refused.missing': 'Introuvable',
  'refused.maximum': 'Le maximum est {maximum}.',
  'refused.lacking': 'Il vous manque : {permissions}.',
  'refused.validationFailed': 'Une saisie n’est pas valide. Vérifiez le formulaire.',
  'refused.unknownField': 'Le formulaire a un champ inconnu. Rechargez la page.',
  'refused.unknownStatus': 'Ce statut est inconnu. Rechargez la page.',
  'refused.transitionNotAllowed': 'Le statut actuel ne le permet pas. Rechargez la page.',
  'refused.gateRequired': 'Affectez d’abord un quai.',
  'refused.identifierImmutable': 'Cet identifiant ne peut pas être modifié.',
  'refused.manifestsEmpty': 'Choisissez au moins une liste de chargement.',
  'refused.customFieldNotConfigured':
    'Ce champ personnalisé n’est pas configuré dans l’organisation. Un administrateur peut l’ajouter sous « Réglages ».',
  'refused.customFieldNotNumeric': 'Saisissez un nombre.',
  'refused.customFieldNotDateTime': 'Saisissez une date et une heure.',
  'refused.authorityNotFound': 'Ce rôle n’existe pas.',
  'refused.unauthorized': 'Vous n’êtes pas connecté. Connectez-vous d’abord.',
  'refused.signInFailed': 'La connexion a échoué. Réessayez.',
  'refused.permissionRequired':
    'Vous n’avez pas l’autorisation nécessaire. Adressez-vous à un administrateur.',
  'refused.tabletRevoked': 'Cette tablette a été révoquée et n’a plus de quai. Associez-la de nouveau.',
  'refused.workerRequired': 'Scannez d’abord votre badge ou saisissez votre code PIN.',
  'refused.workerGone':
    'L’opérateur qui a fait cette action a été supprimé, ou a changé de badge ou de code PIN. Vous pouvez envoyer l’action sous votre propre nom.',
  'refused.crossOriginRefused': 'Un autre site a envoyé ce formulaire. Ouvrez la page ici et réessayez.',
  'refused.formExpired': 'Le formulaire n’est plus valide. Envoyez-le à nouveau.',
  'refused.shipmentStrategyRequired':
    'L’organisation ne travaille pas par expéditions. Un administrateur peut modifier cela sous « Réglages ».',
  'refused.clientFeatureRequired':
    'Les clients ne sont pas activés dans l’organisation. Un administrateur peut modifier cela sous « Réglages ».',
  'refused.organizationSuspended': 'L’organisation est suspendue. Adressez-vous à l’exploitant du service.',
  'refused.sandboxRequired':
    'Ce n’est possible que dans un environnement de test. Connectez-vous à un environnement de test.',
  'refused.notFound': 'Cette page n’existe pas. Vérifiez l’adresse.',
  'refused.organizationNotFound': 'Cette organisation n’existe pas.',
  'refused.apiKeyNotFound': 'Cette clé d’API n’existe pas.',
  'refused.accessTokenNotFound': 'Ce jeton d’accès n’existe pas.',
  'refused.manifestNotFound': 'Cette liste de chargement n’existe pas.',
  'refused.shipmentNotFound': 'Cette expédition n’existe pas.',
  'refused.archiveNotFound': 'Cette liste de chargement ou cette expédition n’est pas dans les archives.',
  'refused.assetLoadingNotFound': 'La palette n’est plus sur cette liste.',
  'refused.trackNotFound': 'Cette palette n’existe pas.',
  'refused.trackRecordNotFound': 'La palette n’est pas sur cette liste de chargement.',
  'refused.customFieldNotFound': 'Ce champ personnalisé n’existe pas.',
  'refused.gateNotFound': 'Ce quai n’existe pas.',
  'refused.scannerNotFound': 'Ce scanner n’existe pas.',
  'refused.localManagerNotFound': 'Ce gestionnaire local n’existe pas.',
  'refused.agentNotFound': 'Cet agent n’existe pas.',
  'refused.clientNotFound': 'Ce client n’existe pas.',
  'refused.userNotFound': 'Cet utilisateur n’existe pas.',
  'refused.inviteNotFound': 'Le lien n’est plus valide. Demandez-en un nouveau.',
  'refused.tabletNotFound': 'Cette tablette n’existe pas, ou son lien a expiré. Demandez un nouveau lien.',
  'refused.workerNotFound': 'Badge ou code PIN inconnu. Réessayez.',
  'refused.webhookNotFound': 'Ce webhook n’existe pas.',
  'refused.webhookDeliveryNotFound': 'Cet envoi n’existe pas.',
  'refused.operationNotFound': 'Cette opération n’existe pas.',
  'refused.deadLetterNotFound': 'Ce message abandonné n’existe pas.',
  'refused.markerCodeNotFound': 'Ce code de marqueur n’est pas attribué.',
  'refused.calibrationNotFound': 'Ce fichier d’étalonnage n’existe pas.',
  'refused.alertEventNotFound': 'Cette alerte n’existe pas.',
  'refused.auditLogNotFound': 'Cette entrée n’existe pas.',
  'refused.printingBatchNotFound': 'Cette série d’étiquettes n’existe pas.',
  'refused.photoNotFound': 'Cette photo n’existe pas.',
  'refused.imageInvalid':
    'Ce fichier n’est pas une photo complète. Utilisez un fichier JPEG, PNG ou WebP de 25 mégapixels au plus.',
  'refused.photoLimitReached': 'Il y a trop de photos. Supprimez-en une d’abord.',
  'refused.notAtGate': 'La palette ou le chargement n’est plus à ce quai.',
  'refused.externalIdentifierInUse': 'Cet identifiant externe est déjà utilisé. Saisissez-en un autre.',
  'refused.slugInUse': 'Ce nom court est déjà utilisé. Saisissez-en un autre.',
  'refused.authorityNameInUse': 'Un autre rôle porte ce nom. Saisissez-en un autre.',
  'refused.emailInUse': 'Un autre utilisateur a cette adresse e-mail. Saisissez-en une autre.',
  'refused.authorityLimitReached':
    'Le nombre maximal de rôles est atteint. Modifiez plutôt un rôle existant.',
  'refused.tabletLinkUsed': 'Le lien a déjà servi. Demandez-en un nouveau.',
  'refused.tabletLimitReached': 'Le nombre maximal de tablettes est atteint. Révoquez-en une d’abord.',
  'refused.workerNameInUse': 'Un autre opérateur porte ce nom. Saisissez-en un autre.',
  'refused.workerCodeInUse': 'Un autre opérateur a ce badge ou ce code PIN. Choisissez-en un autre.',
  'refused.workerLimitReached': 'Le nombre maximal d’opérateurs est atteint. Supprimez-en un d’abord.',
  'refused.gateInUse': 'Le quai est utilisé. Déplacez d’abord ses chargements vers un autre quai.',
  'refused.moveUnderWay': 'L’organisation est en cours de transfert ou d’export. Réessayez plus tard.',
  'refused.openShipments':
    'L’organisation a des expéditions ouvertes. Terminez-les, annulez-les ou supprimez-les d’abord.',
  'refused.manifestsNotAttachable':
    'Certaines listes de chargement ne peuvent pas être rattachées. Rien n’a été modifié.',
  'refused.manifestNotPlanned': 'Seule une liste de chargement planifiée peut être rattachée.',
  'refused.manifestInAnotherShipment':
    'La liste de chargement est dans une autre expédition. Détachez-la d’abord là-bas.',
  'refused.manifestRepeated': 'La liste de chargement figure deux fois. Enlevez-en une.',
  'refused.manifestsNotAttached':
    'Certaines listes de chargement ne sont pas dans cette expédition. Rien n’a été modifié.',
  'refused.manifestBelongsToShipment':
    'La liste de chargement fait partie d’une expédition. Faites cette modification dans l’expédition.',
  'refused.manifestLimitReached': 'L’expédition aurait trop de listes de chargement. Rattachez-en moins.',
  'refused.shipmentClosed': 'L’expédition est terminée ou annulée. Elle ne peut plus être modifiée.',
  'refused.invalidLoadingRecord': 'C’est une mauvaise palette. Descendez-la du camion.',
  'refused.recordNotInvalidLoading': 'Cette palette est à sa place. Ce n’est donc pas une mauvaise palette.',
  'refused.displayNameInUse': 'Un autre client porte ce nom. Saisissez-en un autre.',
  'refused.externalIdInUse': 'Un autre client a cet identifiant externe. Saisissez-en un autre.',
  'refused.manifestClosed':
    'La liste de chargement est terminée ou annulée. Elle ne peut plus être modifiée.',
  'refused.manifestNotClosed': 'Terminez ou annulez d’abord la liste de chargement.',
  'refused.signingLinkUsed': 'Une autre personne a signé avec ce lien. Demandez un nouveau lien.',
  'refused.signatureLimitReached': 'Le chargement a déjà le nombre maximal de signatures.',
  'refused.backorderExists': 'La liste de chargement a déjà un reliquat.',
  'refused.nothingLeft': 'Aucune palette de la liste de chargement n’est restée sur place.',
  'refused.assetLimitReached':
    'La liste de chargement ne peut pas contenir plus de palettes. Retirez-en une d’abord.',
  'refused.customFieldLimitReached':
    'Le nombre maximal de champs personnalisés est atteint. Supprimez-en un d’abord.',
  'refused.emailStopped': 'Le destinataire a arrêté les e-mails à cette adresse. Utilisez une autre adresse.',
  'refused.emailNotConfigured':
    'Ce service n’envoie pas d’e-mails. L’exploitant du service doit d’abord les configurer.',
  'refused.webhookLimitReached': 'Le nombre maximal de webhooks est atteint. Supprimez-en un d’abord.',
  'refused.markerAlreadyCoupled': 'Le marqueur appartient à une autre palette. Utilisez un autre marqueur.',
  'refused.wmsIdAlreadyCoupled':
    'Une palette avec cet identifiant WMS existe déjà. Mettez-la hors service ou supprimez-la d’abord.',
  'refused.markerNotAllocated':
    'Le code de marqueur n’est pas attribué à cette organisation. Utilisez un autre marqueur.',
  'refused.markerCodesExhausted':
    'Il ne reste plus de codes de marqueur. Adressez-vous à l’exploitant du service.',
  'refused.trackOnOpenManifest':
    'La palette est sur une liste de chargement ouverte. Retirez-la d’abord de cette liste.',
  'refused.clientHasAssignedPallets': 'Le client a des palettes. Supprimez-les d’abord.',
  'refused.batchClosed': 'La série d’étiquettes est terminée ou annulée. Elle ne peut plus être modifiée.',
  'refused.credentialRevoked': 'Cette clé ou ce jeton est révoqué ou expiré. Créez-en un autre.',
  'refused.preconditionFailed': 'Quelqu’un d’autre a modifié ceci. Rechargez la page et réessayez.',
  'refused.payloadTooLarge': 'Le fichier ou le texte est trop grand. Choisissez-en un plus petit.',
  'refused.unsupportedMediaType': 'La page a envoyé le formulaire dans un format inconnu. Rechargez la page.',
  'refused.idempotencyKeyReused': 'Ce formulaire a déjà été envoyé avec d’autres saisies. Rechargez la page.',
  'refused.rateLimited': 'Il y a eu trop de requêtes. Attendez un moment et réessayez.',
  'refused.internalError': 'Erreur du service. Réessayez.',
  'refused.temporarilyUnavailable':
    'Le service ne peut pas répondre pour le moment. Réessayez dans un instant.',
};
