import type { NewPasskey, PasskeyCreation } from '../../shared/contract/factors.ts'
import type { PasskeyProof, PasskeyRequest } from '../../shared/contract/second-proof.ts'

/** The person closed the browser's question, or it took too long. */
export class PasskeyDismissed extends Error {}

/** Whether this browser has passkeys here: only over HTTPS, or on this machine, and for a name, not for an IP address. */
export function hasPasskeys(): boolean {
  return isSecureContext && 'PublicKeyCredential' in window && !/^(\[|[\d.]+$)/.test(location.hostname)
}

/** Whether the browser offers passkeys among the names that it fills in. */
export async function canFillInPasskeys(): Promise<boolean> {
  if (!hasPasskeys()) return false
  // Newer than the oldest browsers of docs/browsers.md.
  const { isConditionalMediationAvailable: ask } = PublicKeyCredential as Partial<typeof PublicKeyCredential>
  return ask === undefined ? false : ask.call(PublicKeyCredential)
}

/** Makes a passkey. Throws `PasskeyDismissed`. */
export async function createPasskey({ challenge, user, excludeCredentials, ...options }: PasskeyCreation): Promise<NewPasskey> {
  const publicKey = {
    ...options,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map(toDescriptor),
  }
  const made = await unlessDismissed(navigator.credentials.create({ publicKey }))
  const { response } = made
  if (!(response instanceof AuthenticatorAttestationResponse)) throw new PasskeyDismissed()
  const { getTransports } = response as Partial<AuthenticatorAttestationResponse>
  return {
    ...namesOf(made),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      attestationObject: toText(response.attestationObject),
      ...(getTransports !== undefined && { transports: getTransports.call(response) }),
    },
  }
}

export interface AskOptions {
  /** Ends the question. */
  readonly signal?: AbortSignal
  /** Only offers it where the browser fills in the name. */
  readonly fillIn?: boolean
}

/** Has a passkey answer a challenge. Throws `PasskeyDismissed`. */
export async function askPasskey(
  { challenge, allowCredentials, ...options }: PasskeyRequest,
  { signal, fillIn = false }: AskOptions = {},
): Promise<PasskeyProof> {
  const publicKey = { ...options, challenge: toBytes(challenge), allowCredentials: allowCredentials.map(toDescriptor) }
  const given = await unlessDismissed(navigator.credentials.get({ publicKey, signal, ...(fillIn && { mediation: 'conditional' }) }))
  const { response } = given
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new PasskeyDismissed()
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    ...namesOf(given),
    response: {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      ...(userHandle !== null && { userHandle: toText(userHandle) }),
    },
  }
}

async function unlessDismissed(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const given = await asked.catch((cause: unknown) => Promise.reject(new PasskeyDismissed('', { cause })))
  if (!(given instanceof PublicKeyCredential)) throw new PasskeyDismissed()
  return given
}

function namesOf({ id, rawId }: PublicKeyCredential) {
  return { id, rawId: toText(rawId), type: 'public-key' as const }
}

function toDescriptor({ id, transports }: PasskeyRequest['allowCredentials'][number]): PublicKeyCredentialDescriptor {
  return { type: 'public-key', id: toBytes(id), ...(transports !== undefined && { transports: transports.filter(isTransport) }) }
}

function isTransport(name: string): name is AuthenticatorTransport {
  return ['ble', 'hybrid', 'internal', 'nfc', 'usb'].includes(name)
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
}

function toText(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
