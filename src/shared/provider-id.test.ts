import { expect, it } from 'bun:test'
import { PROVIDER_ID, providerIdFrom } from './provider-id.ts'

it('makes an id that an address can hold from any name', () => {
  const ids = ['Our Keycloak', 'Łódź – SSO', ' É ', 'خدمة', 'a'.repeat(60), '--', 'x'.repeat(39) + ' y'].map(providerIdFrom)
  expect(ids).toEqual(['our-keycloak', 'odz-sso', 'e', 'provider', 'a'.repeat(40), 'provider', 'x'.repeat(39)])
  expect(ids.every((id) => PROVIDER_ID.test(id))).toBe(true)
})
