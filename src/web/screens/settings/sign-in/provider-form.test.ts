import { expect, it } from 'bun:test'
import type { Provider } from '../../../../shared/contract/providers.ts'
import { formFrom, inputFrom, isAddress, needsSecret } from './provider-form.ts'

it('reads lists as people type them, and leaves an empty secret out', () => {
  const form = {
    ...formFrom(null),
    name: ' Ours ',
    issuer: ' https://idp.example/ ',
    clientId: 'x',
    scopes: 'profile, groups',
    adminValues: 'Domain Admins, it ,',
    groupValues: { 4: 'staff, sales', 5: ' ' },
  }
  expect(inputFrom(form)).toEqual({
    name: 'Ours',
    enabled: true,
    issuer: 'https://idp.example/',
    clientId: 'x',
    scopes: ['profile', 'groups'],
    usernameClaim: 'preferred_username',
    allow: { claim: 'groups', values: [] },
    admin: { claim: 'groups', values: ['Domain Admins', 'it'] },
    groups: { claim: 'groups', map: [{ group: 4, values: ['staff', 'sales'] }] },
    secondFactor: false,
    create: false,
    endSession: true,
  })
  expect(inputFrom({ ...form, clientSecret: ' s ' }).clientSecret).toBe(' s ')
})

it('knows addresses', () => {
  expect(['https://idp.example', 'http://127.0.0.1:8080/realms/x', 'idp.example', 'ftp://x', ''].map(isAddress)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

it('needs a stored secret again where it would be sent elsewhere', () => {
  const form = formFrom(null)
  const provider = { ...inputFrom(form), id: 'idp', issuer: 'https://idp.example/one', hasSecret: true } as Provider
  const needs = (issuer: string, clientSecret = '') => needsSecret(provider, { ...form, issuer, clientSecret })
  expect([needs(provider.issuer), needs(' https://IDP.example/one/ '), needs('https://idp.example/two', 'new')]).toEqual([
    false,
    false,
    false,
  ])
  expect([needs('https://idp.example/two'), needs('https://other.example/one')]).toEqual([true, true])
  expect(needsSecret({ ...provider, hasSecret: false }, { ...form, issuer: 'https://other.example' })).toBe(false)
})
