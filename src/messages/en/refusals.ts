import type { ProblemCode } from '../../core/lib/problem.ts';

/** The codes that no translated page shows: codes of the API only, and codes of operator pages. */
type ApiOnly =
  | 'malformedJson'
  | 'bodyNotAllowed'
  | 'unknownParameter'
  | 'exportInvalid'
  | 'exportVersionUnsupported'
  | 'scopeRequired'
  | 'prefetchRefused'
  | 'databaseNotFound'
  | 'operatorNotFound'
  | 'methodNotAllowed'
  | 'organizationExists'
  | 'organizationNotSuspended'
  | 'databaseClosed'
  | 'databaseFull'
  | 'upgradeRequired'
  | 'rolledBack';

/** The code of a refusal that a page explains. A new code needs a sentence here, or a place in `ApiOnly`. */
export type ExplainedCode = Exclude<ProblemCode, ApiOnly>;

/** Why a page refused something, by the problem code of the API. */
export const refusals = {
  'refused.title': 'This was not done',
  'refused.missing': 'This was not found',
  'refused.maximum': 'The maximum is {maximum}.',
  'refused.lacking': 'You lack: {permissions}.',
  'refused.validationFailed': 'An entry is not valid. Check the form.',
  'refused.unknownField': 'The form has an unknown field. Reload the page.',
  'refused.unknownStatus': 'This status is unknown. Reload the page.',
  'refused.transitionNotAllowed': 'The present status does not allow this. Reload the page.',
  'refused.gateRequired': 'Assign a gate first.',
  'refused.identifierImmutable': 'This identifier cannot be changed.',
  'refused.manifestsEmpty': 'Choose at least one manifest.',
  'refused.customFieldNotConfigured':
    'This custom field is not set up in the organization. An administrator can add it under “Settings”.',
  'refused.customFieldNotNumeric': 'Enter a number.',
  'refused.customFieldNotDateTime': 'Enter a date and a time.',
  'refused.authorityNotFound': 'This authority does not exist.',
  'refused.unauthorized': 'You are not signed in. Sign in first.',
  'refused.signInFailed': 'The sign-in failed. Try again.',
  'refused.permissionRequired': 'You do not have permission for this. Ask an administrator.',
  'refused.tabletRevoked': 'This tablet was revoked and has no gate. Pair it again.',
  'refused.workerRequired': 'First scan your badge or enter your PIN.',
  'refused.workerGone':
    'The worker who did this was deleted or has a new badge or PIN. You can send the action in your own name.',
  'refused.crossOriginRefused': 'Another site sent this form. Open the page here and try again.',
  'refused.formExpired': 'The form is no longer valid. Send it again.',
  'refused.shipmentStrategyRequired':
    'The organization does not dispatch by shipment. An administrator can change this under “Settings”.',
  'refused.clientFeatureRequired':
    'The organization does not use clients. An administrator can change this under “Settings”.',
  'refused.organizationSuspended': 'The organization is suspended. Ask the operator of the service.',
  'refused.sandboxRequired': 'This is possible in a sandbox only. Sign in to a sandbox.',
  'refused.notFound': 'This page does not exist. Check the address.',
  'refused.organizationNotFound': 'This organization does not exist.',
  'refused.apiKeyNotFound': 'This API key does not exist.',
  'refused.accessTokenNotFound': 'This access token does not exist.',
  'refused.manifestNotFound': 'This manifest does not exist.',
  'refused.shipmentNotFound': 'This shipment does not exist.',
  'refused.archiveNotFound': 'This manifest or shipment is not in the archive.',
  'refused.assetLoadingNotFound': 'The pallet is not on this list any more.',
  'refused.trackNotFound': 'This pallet does not exist.',
  'refused.trackRecordNotFound': 'The pallet is not on this manifest.',
  'refused.customFieldNotFound': 'This custom field does not exist.',
  'refused.gateNotFound': 'This gate does not exist.',
  'refused.scannerNotFound': 'This scanner does not exist.',
  'refused.localManagerNotFound': 'This local manager does not exist.',
  'refused.agentNotFound': 'This agent does not exist.',
  'refused.clientNotFound': 'This client does not exist.',
  'refused.userNotFound': 'This user does not exist.',
  'refused.inviteNotFound': 'The link is no longer valid. Ask for a new one.',
  'refused.tabletNotFound': 'This tablet does not exist, or its link has expired. Ask for a new link.',
  'refused.workerNotFound': 'Unknown badge or PIN. Try again.',
  'refused.webhookNotFound': 'This webhook does not exist.',
  'refused.webhookDeliveryNotFound': 'This delivery does not exist.',
  'refused.operationNotFound': 'This operation does not exist.',
  'refused.deadLetterNotFound': 'This dead letter does not exist.',
  'refused.markerCodeNotFound': 'This marker code is not allocated.',
  'refused.calibrationNotFound': 'This calibration file does not exist.',
  'refused.alertEventNotFound': 'This alert does not exist.',
  'refused.auditLogNotFound': 'This record does not exist.',
  'refused.printingBatchNotFound': 'This printing batch does not exist.',
  'refused.photoNotFound': 'This photo does not exist.',
  'refused.imageInvalid':
    'This file is not a complete photo. Use a JPEG, PNG or WebP file of at most 25 megapixels.',
  'refused.photoLimitReached': 'There are too many photos. Delete one first.',
  'refused.notAtGate': 'The pallet or load is not at this gate any more.',
  'refused.externalIdentifierInUse': 'This external id is in use. Enter another one.',
  'refused.slugInUse': 'This slug is in use. Enter another one.',
  'refused.authorityNameInUse': 'Another authority has this name. Enter another one.',
  'refused.emailInUse': 'Another user has this e-mail address. Enter another one.',
  'refused.authorityLimitReached': 'The limit of authorities is reached. Change an existing one instead.',
  'refused.tabletLinkUsed': 'The link was used already. Ask for a new one.',
  'refused.tabletLimitReached': 'The limit of tablets is reached. Revoke one first.',
  'refused.workerNameInUse': 'Another worker has this name. Enter another one.',
  'refused.workerCodeInUse': 'Another worker has this badge or PIN. Choose another one.',
  'refused.workerLimitReached': 'The limit of workers is reached. Delete one first.',
  'refused.gateInUse': 'The gate is in use. Move its work to another gate first.',
  'refused.moveUnderWay': 'The organization is being moved or exported. Try again later.',
  'refused.openShipments': 'The organization has open shipments. Complete, cancel or delete them first.',
  'refused.manifestsNotAttachable': 'Some manifests cannot be attached. Nothing was changed.',
  'refused.manifestNotPlanned': 'Only a planned manifest can be attached.',
  'refused.manifestInAnotherShipment': 'The manifest is in another shipment. Detach it there first.',
  'refused.manifestRepeated': 'The manifest is listed twice. Remove one of the two.',
  'refused.manifestsNotAttached': 'Some manifests are not in this shipment. Nothing was changed.',
  'refused.manifestBelongsToShipment':
    'The manifest belongs to a shipment. Make this change in the shipment instead.',
  'refused.manifestLimitReached': 'The shipment would have too many manifests. Attach fewer.',
  'refused.shipmentClosed': 'The shipment is completed or cancelled. It can no longer be changed.',
  'refused.invalidLoadingRecord': 'This is a wrong pallet. Take it off the truck.',
  'refused.recordNotInvalidLoading': 'This pallet belongs here, so it is not a wrong pallet.',
  'refused.displayNameInUse': 'Another client has this name. Enter another one.',
  'refused.externalIdInUse': 'Another client has this external id. Enter another one.',
  'refused.manifestClosed': 'The manifest is completed or cancelled. It can no longer be changed.',
  'refused.manifestNotClosed': 'Complete or cancel the manifest first.',
  'refused.signingLinkUsed': 'Another person has signed with this link. Ask for a new link.',
  'refused.signatureLimitReached': 'The load has the maximum number of signatures already.',
  'refused.backorderExists': 'The manifest has a back order already.',
  'refused.nothingLeft': 'No pallet of the manifest was left behind.',
  'refused.assetLimitReached': 'The manifest cannot hold more pallets. Remove one first.',
  'refused.customFieldLimitReached': 'The limit of custom fields is reached. Remove one first.',
  'refused.emailStopped': 'The recipient has stopped the e-mails to this address. Use another address.',
  'refused.emailNotConfigured':
    'This service sends no e-mails. The operator of the service has to set up e-mail first.',
  'refused.webhookLimitReached': 'The limit of webhooks is reached. Delete one first.',
  'refused.markerAlreadyCoupled': 'The marker belongs to another pallet. Use another marker.',
  'refused.wmsIdAlreadyCoupled': 'A pallet with this WMS id exists already. Retire or delete it first.',
  'refused.markerNotAllocated': 'The marker code is not allocated to this organization. Use another marker.',
  'refused.markerCodesExhausted': 'No marker codes are left. Ask the operator of the service.',
  'refused.trackOnOpenManifest': 'The pallet is on an open manifest. Remove it from there first.',
  'refused.clientHasAssignedPallets': 'The client has pallets. Delete them first.',
  'refused.batchClosed': 'The printing batch is completed or cancelled. It can no longer be changed.',
  'refused.credentialRevoked': 'This key or token is revoked or expired. Create a new one.',
  'refused.preconditionFailed': 'Somebody else has changed this. Reload the page and try again.',
  'refused.payloadTooLarge': 'The file or text is too large. Choose a smaller one.',
  'refused.unsupportedMediaType': 'The page sent the form in an unknown format. Reload the page.',
  'refused.idempotencyKeyReused': 'This form was sent already with other entries. Reload the page.',
  'refused.rateLimited': 'There were too many requests. Wait a moment and try again.',
  'refused.internalError': 'The service failed. Try again.',
  'refused.temporarilyUnavailable': 'The service cannot answer right now. Try again in a moment.',
} as const satisfies Record<`refused.${ExplainedCode | 'title' | 'missing' | 'maximum' | 'lacking'}`, string>;
