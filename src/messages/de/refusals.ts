import type { refusals as english } from '../en/refusals.ts';
import type { Translated } from '../en/translated.ts';

/** Why something was refused. */
export const refusals: Translated<typeof english> = {
  'refused.title': 'Das wurde nicht ausgeführt',
  'refused.missing': 'Nicht gefunden',
  'refused.maximum': 'Das Maximum ist {maximum}.',
  'refused.lacking': 'Ihnen fehlt: {permissions}.',
  'refused.validationFailed': 'Eine Eingabe ist ungültig. Prüfen Sie das Formular.',
  'refused.unknownField': 'Das Formular hat ein unbekanntes Feld. Laden Sie die Seite neu.',
  'refused.unknownStatus': 'Dieser Status ist unbekannt. Laden Sie die Seite neu.',
  'refused.transitionNotAllowed': 'Der jetzige Status erlaubt das nicht. Laden Sie die Seite neu.',
  'refused.gateRequired': 'Weisen Sie zuerst ein Tor zu.',
  'refused.identifierImmutable': 'Diese Nummer lässt sich nicht ändern.',
  'refused.manifestsEmpty': 'Wählen Sie mindestens eine Ladeliste.',
  'refused.customFieldNotConfigured':
    'Dieses eigene Feld ist in der Organisation nicht eingerichtet. Ein Administrator kann es unter „Einstellungen“ anlegen.',
  'refused.customFieldNotNumeric': 'Geben Sie eine Zahl ein.',
  'refused.customFieldNotDateTime': 'Geben Sie Datum und Uhrzeit ein.',
  'refused.authorityNotFound': 'Diese Rolle gibt es nicht.',
  'refused.unauthorized': 'Sie sind nicht angemeldet. Melden Sie sich zuerst an.',
  'refused.signInFailed': 'Die Anmeldung ist fehlgeschlagen. Versuchen Sie es noch einmal.',
  'refused.permissionRequired': 'Dazu haben Sie kein Recht. Fragen Sie einen Administrator.',
  'refused.tabletRevoked': 'Dieses Tablet wurde gesperrt und hat kein Tor. Koppeln Sie es neu.',
  'refused.workerRequired': 'Scannen Sie zuerst Ihren Ausweis, oder geben Sie Ihre PIN ein.',
  'refused.workerGone':
    'Die Person, von der diese Eingabe ist, wurde gelöscht oder hat einen anderen Ausweis oder eine andere PIN. Sie können die Eingabe in Ihrem Namen senden.',
  'refused.crossOriginRefused':
    'Eine andere Website hat dieses Formular gesendet. Öffnen Sie die Seite hier, und versuchen Sie es noch einmal.',
  'refused.formExpired': 'Das Formular ist nicht mehr gültig. Senden Sie es noch einmal.',
  'refused.shipmentStrategyRequired':
    'Die Organisation versendet nicht nach Sendungen. Administratoren können das unter „Einstellungen“ ändern.',
  'refused.clientFeatureRequired':
    'Die Organisation führt keine Kunden. Administratoren können das unter „Einstellungen“ ändern.',
  'refused.organizationSuspended': 'Die Organisation ist gesperrt. Fragen Sie den Betreiber des Dienstes.',
  'refused.sandboxRequired':
    'Das ist nur in einer Testumgebung möglich. Melden Sie sich bei einer Testumgebung an.',
  'refused.notFound': 'Diese Seite gibt es nicht. Prüfen Sie die Adresse.',
  'refused.organizationNotFound': 'Diese Organisation gibt es nicht.',
  'refused.apiKeyNotFound': 'Diesen API-Schlüssel gibt es nicht.',
  'refused.accessTokenNotFound': 'Dieses Zugriffstoken gibt es nicht.',
  'refused.manifestNotFound': 'Diese Ladeliste gibt es nicht.',
  'refused.shipmentNotFound': 'Diese Sendung gibt es nicht.',
  'refused.archiveNotFound': 'Diese Ladeliste oder Sendung ist nicht im Archiv.',
  'refused.assetLoadingNotFound': 'Die Palette steht nicht mehr auf dieser Liste.',
  'refused.trackNotFound': 'Diese Palette gibt es nicht.',
  'refused.trackRecordNotFound': 'Die Palette steht nicht auf dieser Ladeliste.',
  'refused.customFieldNotFound': 'Dieses eigene Feld gibt es nicht.',
  'refused.gateNotFound': 'Dieses Tor gibt es nicht.',
  'refused.scannerNotFound': 'Diesen Scanner gibt es nicht.',
  'refused.localManagerNotFound': 'Diesen lokalen Manager gibt es nicht.',
  'refused.agentNotFound': 'Diesen Agenten gibt es nicht.',
  'refused.clientNotFound': 'Diesen Kunden gibt es nicht.',
  'refused.userNotFound': 'Diesen Benutzer gibt es nicht.',
  'refused.inviteNotFound': 'Der Link ist nicht mehr gültig. Bitten Sie um einen neuen.',
  'refused.tabletNotFound':
    'Dieses Tablet gibt es nicht, oder sein Link ist abgelaufen. Bitten Sie um einen neuen Link.',
  'refused.workerNotFound': 'Ausweis oder PIN ist nicht bekannt. Versuchen Sie es noch einmal.',
  'refused.webhookNotFound': 'Diesen Webhook gibt es nicht.',
  'refused.webhookDeliveryNotFound': 'Diese Zustellung gibt es nicht.',
  'refused.operationNotFound': 'Diesen Vorgang gibt es nicht.',
  'refused.deadLetterNotFound': 'Diese unzustellbare Nachricht gibt es nicht.',
  'refused.markerCodeNotFound': 'Dieser Markercode ist nicht vergeben.',
  'refused.calibrationNotFound': 'Diese Kalibrierdatei gibt es nicht.',
  'refused.alertEventNotFound': 'Diese Meldung gibt es nicht.',
  'refused.auditLogNotFound': 'Diesen Eintrag gibt es nicht.',
  'refused.printingBatchNotFound': 'Diesen Druckauftrag gibt es nicht.',
  'refused.photoNotFound': 'Dieses Foto gibt es nicht.',
  'refused.imageInvalid':
    'Diese Datei ist kein vollständiges Foto. Nehmen Sie eine JPEG-, PNG- oder WebP-Datei mit höchstens 25 Megapixeln.',
  'refused.photoLimitReached': 'Es sind zu viele Fotos. Löschen Sie zuerst eines.',
  'refused.notAtGate': 'Die Palette oder Ladung ist nicht mehr an diesem Tor.',
  'refused.externalIdentifierInUse': 'Diese externe Kennung ist vergeben. Geben Sie eine andere ein.',
  'refused.slugInUse': 'Dieser Kurzname ist vergeben. Geben Sie einen anderen ein.',
  'refused.authorityNameInUse': 'Eine andere Rolle heißt so. Geben Sie eine andere Bezeichnung ein.',
  'refused.emailInUse': 'Ein anderer Benutzer hat diese E-Mail-Adresse. Geben Sie eine andere ein.',
  'refused.authorityLimitReached': 'Die Höchstzahl an Rollen ist erreicht. Ändern Sie eine vorhandene.',
  'refused.tabletLinkUsed': 'Der Link wurde schon benutzt. Bitten Sie um einen neuen.',
  'refused.tabletLimitReached': 'Die Höchstzahl an Tablets ist erreicht. Sperren Sie zuerst eines.',
  'refused.workerNameInUse': 'Jemand anders heißt so. Geben Sie einen anderen Namen ein.',
  'refused.workerCodeInUse':
    'Jemand anders hat diesen Ausweis oder diese PIN. Wählen Sie einen anderen Ausweis oder eine andere PIN.',
  'refused.workerLimitReached': 'Die Höchstzahl an Personen ist erreicht. Löschen Sie zuerst eine.',
  'refused.gateInUse': 'Das Tor ist belegt. Verlegen Sie seine Arbeit zuerst an ein anderes Tor.',
  'refused.moveUnderWay':
    'Die Organisation wird gerade verschoben oder exportiert. Versuchen Sie es später noch einmal.',
  'refused.openShipments':
    'Die Organisation hat offene Sendungen. Schließen, stornieren oder löschen Sie diese zuerst.',
  'refused.manifestsNotAttachable':
    'Einige Ladelisten können nicht zugeordnet werden. Nichts wurde geändert.',
  'refused.manifestNotPlanned': 'Nur eine geplante Ladeliste kann zugeordnet werden.',
  'refused.manifestInAnotherShipment':
    'Die Ladeliste ist in einer anderen Sendung. Nehmen Sie sie dort zuerst heraus.',
  'refused.manifestRepeated': 'Die Ladeliste ist zweimal angegeben. Entfernen Sie eine der beiden.',
  'refused.manifestsNotAttached': 'Einige Ladelisten sind nicht in dieser Sendung. Nichts wurde geändert.',
  'refused.manifestBelongsToShipment':
    'Die Ladeliste gehört zu einer Sendung. Ändern Sie stattdessen die Sendung.',
  'refused.manifestLimitReached': 'Die Sendung hätte zu viele Ladelisten. Ordnen Sie weniger zu.',
  'refused.shipmentClosed':
    'Die Sendung ist abgeschlossen oder storniert. Sie kann nicht mehr geändert werden.',
  'refused.invalidLoadingRecord': 'Das ist eine falsche Palette. Nehmen Sie sie vom Lkw.',
  'refused.recordNotInvalidLoading': 'Diese Palette gehört hierher. Sie ist keine falsche Palette.',
  'refused.displayNameInUse': 'Ein anderer Kunde heißt so. Geben Sie einen anderen Namen ein.',
  'refused.externalIdInUse': 'Ein anderer Kunde hat diese externe Kennung. Geben Sie eine andere ein.',
  'refused.manifestClosed':
    'Die Ladeliste ist abgeschlossen oder storniert. Sie kann nicht mehr geändert werden.',
  'refused.manifestNotClosed': 'Schließen oder stornieren Sie zuerst die Ladeliste.',
  'refused.signingLinkUsed':
    'Mit diesem Link hat schon jemand anders unterschrieben. Bitten Sie um einen neuen Link.',
  'refused.signatureLimitReached': 'Diese Ladung hat schon die Höchstzahl an Unterschriften.',
  'refused.backorderExists': 'Die Ladeliste hat schon einen Rückstandsauftrag.',
  'refused.nothingLeft': 'Von dieser Ladeliste ist keine Palette zurückgeblieben.',
  'refused.assetLimitReached':
    'Die Ladeliste hat die Höchstzahl an Paletten erreicht. Entfernen Sie zuerst eine.',
  'refused.customFieldLimitReached':
    'Die Höchstzahl an eigenen Feldern ist erreicht. Entfernen Sie zuerst eines.',
  'refused.emailStopped':
    'Der Empfänger hat die E-Mails an diese Adresse beendet. Verwenden Sie eine andere Adresse.',
  'refused.emailNotConfigured':
    'Dieser Dienst verschickt keine E-Mails. Der Betreiber des Dienstes muss sie zuerst einrichten.',
  'refused.webhookLimitReached': 'Die Höchstzahl an Webhooks ist erreicht. Löschen Sie zuerst einen.',
  'refused.markerAlreadyCoupled':
    'Der Marker gehört zu einer anderen Palette. Nehmen Sie einen anderen Marker.',
  'refused.wmsIdAlreadyCoupled':
    'Eine Palette mit dieser WMS-Nummer gibt es schon. Legen Sie sie zuerst still oder löschen Sie sie.',
  'refused.markerNotAllocated': 'Der Marker gehört nicht zu dieser Organisation. Nehmen Sie einen anderen.',
  'refused.markerCodesExhausted':
    'Es sind keine Markercodes mehr frei. Fragen Sie den Betreiber des Dienstes.',
  'refused.trackOnOpenManifest':
    'Die Palette steht auf einer offenen Ladeliste. Nehmen Sie sie dort zuerst heraus.',
  'refused.clientHasAssignedPallets': 'Der Kunde hat noch Paletten. Löschen Sie diese zuerst.',
  'refused.batchClosed':
    'Der Druckauftrag ist abgeschlossen oder storniert. Er kann nicht mehr geändert werden.',
  'refused.credentialRevoked':
    'Dieser Schlüssel oder dieses Token ist gesperrt oder abgelaufen. Legen Sie einen neuen Zugang an.',
  'refused.preconditionFailed':
    'Jemand anders hat das geändert. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'refused.payloadTooLarge': 'Die Datei oder der Text ist zu groß. Wählen Sie etwas Kleineres.',
  'refused.unsupportedMediaType': 'Das Formular kam in einem unbekannten Format an. Laden Sie die Seite neu.',
  'refused.idempotencyKeyReused':
    'Dieses Formular wurde schon mit anderen Eingaben gesendet. Laden Sie die Seite neu.',
  'refused.rateLimited':
    'Es waren zu viele Anfragen. Warten Sie einen Moment, und versuchen Sie es noch einmal.',
  'refused.internalError': 'Im Dienst ist ein Fehler aufgetreten. Versuchen Sie es noch einmal.',
  'refused.temporarilyUnavailable':
    'Der Dienst kann gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
};
