import { expect, it } from 'bun:test'
import { formFrom, inputFrom, isAddress } from './provider-form.ts'

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
