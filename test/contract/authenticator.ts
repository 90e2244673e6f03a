import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { NewPasskey, PasskeyCreation } from '../../src/shared/contract/factors.ts'
import type { PasskeyProof, PasskeyRequest } from '../../src/shared/contract/second-proof.ts'

/** Flags of authenticator data (Web Authentication Level 3, section 6.1). */
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export interface Behaviour {
  /** Of the page that asks. */
  readonly origin: string
  /** Whether it verifies its user; yes by default. */
  readonly verifies?: boolean
  /** Instead of the next one. */
  readonly counter?: number
}

export interface Authenticator {
  create(options: PasskeyCreation, behaviour: Behaviour): NewPasskey
  get(options: PasskeyRequest, behaviour: Behaviour): PasskeyProof
}

/** An authenticator in software with one ES256 passkey, whose counter goes up by one. */
export function createAuthenticator(): Authenticator {
  const id = randomBytes(16)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let counter = 0
  let userHandle = ''
  return {
    create({ challenge, rp, user }, { origin, verifies = true }) {
      userHandle = user.id
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)])
      const authData = Buffer.concat([authenticatorData(rp.id, flagsOf(verifies) | HAS_CREDENTIAL, counter), credential])
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(authData),
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, origin),
        attestationObject: attestation.toString('base64url'),
      }
      return { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key', response }
    },
    get({ challenge, rpId }, { origin, verifies = true, counter: forced }) {
      counter = forced ?? counter + 1
      const data = authenticatorData(rpId, flagsOf(verifies), counter)
      const clientDataJSON = clientData('webauthn.get', challenge, origin)
      const signature = sign(
        Buffer.concat([data, createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()]),
        privateKey,
      )
      const response = { clientDataJSON, authenticatorData: data.toString('base64url'), signature, userHandle }
      return { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key', response }
    },
  }
}

function flagsOf(verifies: boolean): number {
  return USER_PRESENT | (verifies ? USER_VERIFIED : 0)
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags, 0)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
}

function sign(data: Buffer, key: KeyObject): string {
  return createSign('sha256').update(data).sign(key).toString('base64url')
}

/** ES256 on P-256 (RFC 9053 section 2.1), as CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21])
  return Buffer.concat([head, cborBytes(Buffer.from(x, 'base64url')), Buffer.from([0x22]), cborBytes(Buffer.from(y, 'base64url'))])
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([
    bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]),
    bytes,
  ])
}
