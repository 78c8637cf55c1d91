import { API, type ErrorDoc, OPERATOR_API } from './error-doc.ts';

/** Codes of requests that do not fit the present state of the organization. */
export const CONFLICT_ERRORS = {
  externalIdentifierInUse: [
    'Another resource of this kind has the external identifier. That resource may be in the archive.',
    'If you repeated a creation without its `Idempotency-Key`, the resource exists already. Read it and continue with it. In all other cases, choose another identifier.',
  ],
  slugInUse: ['Another organization has this slug.', 'Choose another slug.'],
  authorityNameInUse: ['Another authority has this name.', 'Choose another name, or change that authority.'],
  emailInUse: [
    'Another user of the organization has this e-mail address.',
    'Change that user, or use another address.',
  ],
  authorityLimitReached: [
    'The organization has the maximum number of authorities.',
    'Change an existing authority, or delete an unused one.',
  ],
  tabletLinkUsed: [
    'Another tablet was paired with this link.',
    'Create a new link on the page of the gate, under `More`, `Tablets`.',
  ],
  tabletLimitReached: [
    'The organization has the maximum number of tablets.',
    'Revoke a tablet that is not in use.',
  ],
  workerNameInUse: ['Another worker has this name.', 'Choose another name.'],
  workerCodeInUse: ['Another worker has this badge or PIN.', 'Choose another badge or PIN.'],
  workerLimitReached: [
    'The organization has the maximum number of workers.',
    'Delete a worker who has left.',
  ],
  gateInUse: [
    'Open manifests or shipments use the gate, so it cannot be deleted.',
    'Assign them to another gate, complete them or cancel them. Then delete the gate.',
  ],
  organizationExists: [
    'An organization with this uuid or slug exists in this service already.',
    'Erase that organization first, or import with another slug.',
  ],
  organizationNotSuspended: [
    'Only a suspended organization can be erased.',
    `Suspend it with \`POST ${OPERATOR_API}/organization/{organizationUuid}/suspend\`. Then erase it.`,
  ],
  moveUnderWay: [
    'The organization is being moved to another database, or exported.',
    'Wait until the operation has ended. Then send the request again.',
  ],
  databaseClosed: ['The operator closed the database for new organizations.', 'Choose another database.'],
  databaseFull: [
    'The named database, or every open database, has reached the size limit for new organizations.',
    'Choose another database, or add one.',
  ],
  openShipments: [
    'The organization has open shipments, so its dispatch strategy cannot change.',
    'Complete, cancel or delete the shipments first.',
  ],
  manifestsNotAttachable: [
    'At least one manifest cannot become part of the shipment. None was attached.',
    'Correct every item of `errors[]`. Its code is `manifestNotPlanned`, `manifestInAnotherShipment` or `manifestRepeated`.',
  ],
  manifestNotPlanned: [
    'The manifest has started, or it is completed or cancelled. Only PLANNED manifests can be attached.',
    'Leave the manifest out, or create a new one for its pallets.',
  ],
  manifestInAnotherShipment: [
    'The manifest is part of another shipment.',
    `Detach it with \`POST ${API}/shipment/{shipmentExternalId}/manifest/detach\`. Then attach it here.`,
  ],
  manifestRepeated: ['The request lists the manifest twice.', 'List each manifest once.'],
  manifestsNotAttached: [
    'At least one manifest of the request is not part of the shipment. None was detached.',
    'Read the shipment, and list its manifests only.',
  ],
  manifestBelongsToShipment: [
    'The manifest is part of a shipment. Its gate, status and loading change with the shipment.',
    'Make the change at the shipment, or detach the manifest while the shipment is open.',
  ],
  manifestLimitReached: [
    'The shipment would have more manifests than the maximum.',
    'Attach fewer manifests, or use a second shipment.',
  ],
  shipmentClosed: [
    'The shipment is COMPLETED or CANCELLED, so it does not change any more.',
    'Read the shipment. Create a new one for further work.',
  ],
  invalidLoadingRecord: [
    'The pallet does not belong to the load. So the status of its loading record cannot be changed.',
    'Take the pallet off the truck, and delete the loading record. Or add the pallet to a manifest of the load.',
  ],
  recordNotInvalidLoading: [
    'The pallet belongs to the load. Only records of wrong pallets can be deleted.',
    'Change the status of the record instead, for example to UNLOADED.',
  ],
  displayNameInUse: ['Another client has this display name.', 'Choose another name, or use that client.'],
  externalIdInUse: ['Another client has this external id.', 'Use that client, or choose another id.'],
  manifestClosed: [
    'The manifest is COMPLETED or CANCELLED, so it does not change any more.',
    `Read the manifest. For pallets that were left behind, use \`POST ${API}/manifest/{manifestExternalId}/backorder\`.`,
  ],
  manifestNotClosed: [
    'A back order needs a manifest that is COMPLETED or CANCELLED.',
    'Complete or cancel the manifest first.',
  ],
  signingLinkUsed: ['Another person signed with this link.', 'Open a new signing link.'],
  signatureLimitReached: [
    'The load has the maximum number of signatures.',
    'Use the existing signatures. The latest signature of each role counts.',
  ],
  backorderExists: [
    'The manifest has a back order. A manifest has at most one.',
    'Read the manifest: `backorder` names the existing one.',
  ],
  nothingLeft: [
    'No pallet of the manifest is NOT_LOADED or UNLOADED.',
    'No back order is needed, because no pallet of the manifest was left behind.',
  ],
  photoLimitReached: [
    'The pallet, manifest or shipment has the maximum number of photos.',
    `Delete a photo with \`DELETE ${API}/photo/{uuid}\`. Then upload the new one.`,
  ],
  notAtGate: [
    'The pallet, manifest or shipment is not being loaded at the gate of the device.',
    'Check the gate. With an API key, you can upload photos of all pallets, manifests and shipments.',
  ],
  assetLimitReached: [
    'The manifest has the maximum number of assets.',
    'Create a second manifest for the other pallets.',
  ],
  customFieldLimitReached: [
    'The manifest or shipment has the maximum number of custom fields.',
    'Remove a field, or write several values to one field.',
  ],
  webhookLimitReached: [
    'The organization has the maximum number of webhooks.',
    'Delete a webhook that is not in use.',
  ],
  emailStopped: [
    'The recipient used the stop link in an e-mail. The service sends no more e-mails to this address.',
    'Change the address of the webhook, and resume the webhook. No e-mail can be sent to the stopped address again.',
  ],
  emailNotConfigured: [
    'This deployment of the service cannot send e-mail.',
    'Choose another format of webhook, or ask the operator to set up e-mail.',
  ],
  markerAlreadyCoupled: [
    'The marker code is coupled to another track. That track may be active, retired or in the archive.',
    `Use another marker. To use this code again, read its track with \`GET ${API}/marker-code/{markerCode}\`. Remove the pallet from its open manifests, and send \`DELETE ${API}/track/{trackId}\` with the uuid of the track. A WMS id may name another track. The code of a track in the archive cannot be used again.`,
  ],
  wmsIdAlreadyCoupled: [
    'The pallet has a marker already: a track with this WMS id exists, and it is not retired. Perhaps an earlier call has coupled it, and the answer was lost. Coupling the same pallet and marker again is not an error.',
    `Read the track with \`GET ${API}/track/{trackId}\`. The \`trackId\` can be the WMS id. If its \`markerCode\` is on the pallet, or not printed yet, use this marker. You need no other call. If the pallet needs another marker, send \`PATCH ${API}/track/{trackId}/retire?force=true\`. Then couple again with a new \`Idempotency-Key\`. Without \`force\`, a pallet on an open manifest is only SCHEDULED_FOR_RETIREMENT, and the error returns.`,
  ],
  markerNotAllocated: [
    'The marker code was not allocated to this organization.',
    `Allocate codes with \`POST ${API}/marker-code/allocate\`, or use \`POST ${API}/track/get-and-couple\`.`,
  ],
  markerCodesExhausted: [
    'The request needs more marker codes than the organization has left.',
    'Allocate fewer codes, or ask the operator for a larger range.',
  ],
  trackOnOpenManifest: [
    'The pallet is on an open manifest, so its track cannot be deleted.',
    `Read \`manifests\` of the track. Remove the pallet from each open manifest with \`DELETE ${API}/manifest/{manifestExternalId}/track-record/{trackIdentifier}\`, or close the manifest. Then delete the track.`,
  ],
  clientHasAssignedPallets: [
    'Pallets are assigned to the client, so it cannot be deleted. Retired tracks count, too.',
    `Read their tracks with \`GET ${API}/track?clientId=\`. Delete each with \`DELETE ${API}/track/{trackId}\` and its uuid. A WMS id may name another track.`,
  ],
  rolledBack: [
    'The item has no fault, but another item failed. With `errorBehaviour` ROLLBACK, one fault stops all items.',
    'Correct the items that have another code in the result. Then send all items again with a new `Idempotency-Key`.',
  ],
  batchClosed: [
    'The printing batch is completed or cancelled.',
    `Create a new batch with \`POST ${API}/scanner/{scannerUuid}/printing-batch\`.`,
  ],
  credentialRevoked: [
    'The API key, access token or operator key is revoked or expired, so it cannot be rotated.',
    'Create a new credential.',
  ],
} as const satisfies Record<string, ErrorDoc>;
